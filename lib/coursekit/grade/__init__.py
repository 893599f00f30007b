"""Grade a class: learner code runs confined, and only data comes back.

Three processes, of which two never see the third's secrets. The *judge* holds checks, expected
values and hidden seeds, and runs no learner code. The *zygote* has imported what notebooks import,
and nothing of ours that grades. Each submission gets one *fork* of the zygote, confined as far as
the machine allows. What crosses is JSON and raw array bytes, bounded in size, depth, count and
time.

==================  =====================================================================
``submissions``     the class: folders or an LMS zip, every entry a submission
``notebook_file``   one notebook's cells; ``plan``: which cell answers which exercise
``judge``           one submission to one results row; ``proxy``, ``session``: its long arm
``wire``            what may cross: frames; ``values``, ``decoder``: what is in them
``learner``         the confined side
``confine``         the walls; ``zygote``, ``keeper``: who puts them up and watches
``station``         a judge in a process of its own; ``pool``, ``cluster``: many of them
``rows``            rows on disk, resumable; ``gradebook``: into nbgrader
==================  =====================================================================

This file imports nothing: the zygote imports this package, and a fork inherits its memory.
"""
