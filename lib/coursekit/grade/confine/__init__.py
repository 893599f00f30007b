"""The walls around learner code, each used where the machine has it.

``bubblewrap`` hides files, network and processes from a whole zygote; ``namespaces`` gives each
submission its own processes, scratch space and IPC; ``landlock`` and ``seccomp`` forbid what is
left; ``rlimits`` bounds what is allowed. ``levels`` says which walls stand.
"""
