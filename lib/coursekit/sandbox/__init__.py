"""Run a learner's Python where it can harm nobody: one confined process for each submission.

Threat model
------------
The attacker hands in a notebook. They know this source, the visible checks and what kind of
machine grades, and their cells run for as long as the limits allow. They have no other way in.

Promised at level ``sandbox``, or grading is refused:

* A submission can name the interpreter, the installed packages and its own scratch folder. No
  other file is there to be opened, listed, changed or watched: its root file system is made of
  these alone.
* It sees, signals and traces only processes that it started, and all of them end with it.
* It has no network and no socket but socket pairs; it can reach no other process of the machine.
* It has bounded processor time, memory, processes, files and scratch space; what it starts gives
  way to everybody else's work; the next submission finds nothing of it.

Not promised: protection from a flaw in the kernel or in a processor; a secret kept from side
channels such as timing or which pages are in memory; that two submissions of accomplices, which
run at the same moment, cannot signal each other (by load, or by futexes on the pages of a library
that both map); secrecy of the interpreter and the installed packages, which a submission
can read; and nothing of the above at the levels ``partial`` and ``none``, which must be asked for
and are written on every row.

How
---
``sandbox`` (the grader's side) starts a *fork server*, which enters a private root and new
namespaces, imports what notebooks import, and then forks twice for each submission: a *supervisor*,
which ends it when it must end, and the submission itself, which puts itself under the restrictions
and then serves requests over one socket pair. Before the first submission, `probe` tries in such a
process what must be possible and what must not be.

===================  ========================================================================
``sandbox``          starts the fork server, asks it for forks, hears how they ended
``fork_server``      imports, forks; runs no learner code
``supervisor``       watches time, memory and priorities; ends what must end
``private_root``     the file system that a submission sees; ``interpreter``: what is in it
``restrictions``     which mechanisms are in force at each level, and their order
``landlock``, ``seccomp``, ``linux``  the kernel's interfaces
``probe``            the trial before the first submission
``limits``           how much a submission may use
===================  ========================================================================

This file imports nothing: the fork server imports this package, and a fork inherits its memory.
"""
