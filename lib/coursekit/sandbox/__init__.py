"""Run learners' Python where it can do no harm: one confined process for each submission.

Threat model
------------
The attacker hands in a notebook. They know this source, the visible checks and what kind of
machine grades, and their cells run for as long as the limits allow. They have no other way in.

Promised at level ``sandbox``, or grading is refused:

* A submission can name the interpreter, the installed packages and its own scratch folder. Its
  root file system consists of these, so there is no other file to open, list, change or watch.
* It sees, signals and traces only processes that it started, and all of them end with it.
* It has no network, no sockets except socket pairs, and no way to reach another process of the
  machine.
* Its processor time, memory, processes, files and scratch space are bounded. The processes that it
  starts give way to all other work on the machine, and nothing of it is left for the next
  submission. A crash of it starts no program outside.

Not promised:

* protection from a flaw in the kernel or in a processor;
* protection of secrets from side channels such as timing, or which pages are in memory;
* that two submissions of accomplices, running at the same moment, cannot signal each other (by
  load, or by futexes on the pages of a library that both map);
* secrecy of the interpreter and the installed packages, which a submission can read;
* any of the promises above at the levels ``partial`` and ``none``, which must be requested and are
  recorded in every row.

How
---
``sandbox`` (the grader's side) starts a *fork server*, which enters a private root and new
namespaces, imports what notebooks import, and then forks twice for each submission: first a
*supervisor*, which enforces the limits, then the submission's own process, which puts itself under
the restrictions and serves requests over a socket pair. Before the first submission, `probe` runs
in such a process and tries what must be possible and what must not be.

===================  ========================================================================
``sandbox``          starts the fork server, requests forks, learns how they ended
``fork_server``      imports and forks; runs no learner code
``supervisor``       watches time, memory and priorities; ends a submission's processes
``private_root``     the file system that a submission sees; ``interpreter``: what is in it
``restrictions``     which mechanisms are in force at each level, and in which order
``landlock``, ``seccomp``, ``linux``  the kernel's interfaces
``probe``            the trial before the first submission
``limits``           how much a submission may use
``scratch``          how a scratch folder is emptied where it is not a file system of its own
===================  ========================================================================

This file imports nothing: the fork server imports this package, and a fork inherits its memory.
"""
