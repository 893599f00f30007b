"""Grade a class: learner code runs in a sandbox, and only data comes back.

A run has one *coordinator*, which reads submissions and writes rows, and several *workers*. Each
worker has a *grader process*, which holds checks, expected values and hidden seeds, and runs no
learner code. Below it, `coursekit.sandbox` runs each submission in a confined process of its own,
which never sees any of these. What crosses is JSON and raw array bytes, bounded in size, depth,
count and time.

==================  =====================================================================
``cli``             the command ``coursekit grade``; ``summary``: what it says at its end
``intake``          a class's submissions, and whose each is; ``times``: when it was handed in
``class_files``     what a folder or zip holds; ``choice``: which file is the notebook
``batch``           a class from start to end; ``results_file``: its rows
``task``            what a grader needs to know, as data, and the secret
``pool``            workers on this machine, or on many
``grader_process``  a grader in a process of its own
``grader``          from one submission to one row; ``attempt``: its way through the ``plan``
``notebook_file``   one notebook's cells; ``plan``: which of them run, and hold the answers
``session``         the conversation with a submission; ``proxy``: what represents its objects
``wire``            messages; ``values``: what is in them; ``limits``
``learner``         the confined side
``gradebook``       into nbgrader's gradebook and pages
==================  =====================================================================

This file imports nothing: the fork server imports this package, and a fork inherits its memory.
"""
