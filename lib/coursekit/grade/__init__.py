"""Grade a class: learner code runs in a sandbox, and only data comes back.

Three processes, of which two never see the third's secrets. The *grader* (``grader``) holds checks,
expected values and hidden seeds, and runs no learner code. The *fork server* of `coursekit.sandbox`
has imported what notebooks import, and nothing of ours that grades. Each submission gets a confined
process of its own. What crosses is JSON and raw array bytes, bounded in size, depth, count, time.

==================  =====================================================================
``submissions``     the class: folders or an LMS zip, every entry a submission
``notebook_file``   one notebook's cells; ``plan``: which cell answers which exercise
``grader``           one submission to one results row; ``attempt``: its way through the plan
``proxy``           what stands here for a learner's object; ``session``: the conversation
``wire``            what may cross: frames; ``values``, ``decoder``: what is in them
``learner``         the confined side
``grader_process``         a grader in a process of its own; ``pool``, ``cluster``: many of them
``batch``           a class from start to end; ``rows``: rows on disk, resumable
``gradebook``       into nbgrader
==================  =====================================================================

This file imports nothing: the fork server imports this package, and a fork inherits its memory.
"""
