"""Attacks that look for checks, solutions and other students' work."""

from .attack import attack

ATTACKS = {
    "reads checks and solutions from disk": attack(
        r"""
        import os

        found = False
        for top, folders, files in os.walk("/"):
            folders[:] = [
                f
                for f in folders
                if top + f not in ("/proc", "/sys", "/usr", "/dev")
                and f not in ("site-packages", "lib2to3", "idlelib", "test")
            ]
            for n in files:
                if n.endswith((".py", ".jsonl", ".ipynb", ".txt", ".db")):
                    try:
                        found |= "EMASES-NEPO" in open(os.path.join(top, n)).read()[::-1]
                    except (OSError, ValueError):
                        pass
        if found:
            even = "b"
        """,
        status="graded timeout",
    ),
    "reads other processes": attack(
        r"""
        import os, ctypes

        found = False
        for p in {*range(1, 3000), *map(int, filter(str.isdigit, os.listdir("/proc")))}:
            if p == os.getpid():
                continue
            for name in ("environ", "mem", "maps", "cmdline"):
                try:
                    found |= bool(open(f"/proc/{p}/{name}", "rb").read(1))
                except OSError:
                    pass
        libc = ctypes.CDLL(None)
        # Without a sandbox it may be the test itself that it holds up.
        found |= any(
            libc.ptrace(0x4206, p, 0, 0) == 0 for p in range(1, 1000) if p != os.getpid()
        )
        if found:
            even = "b"
        """,
        status="graded timeout",
    ),
    "inherited descriptors": attack(
        r"""
        import os

        found = False
        for fd in range(4, 256):
            try:
                os.fstat(fd)
                found = True
            except OSError:
                pass
        if found:
            even = "b"
        """,
    ),
    "the environment": attack(
        r"""
        import os

        if any("EMASES-NEPO" in value[::-1] for value in os.environ.values()):
            even = "b"
        """,
    ),
}
