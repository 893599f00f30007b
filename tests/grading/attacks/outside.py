"""Attacks on what is outside: network, files, other processes, the restrictions themselves."""

from .attack import attack

ATTACKS = {
    "connects": attack(
        r"""
        import socket

        found = False
        for family, address in (
            (socket.AF_INET, ("127.0.0.1", PORT)),
            (socket.AF_INET6, ("::1", PORT)),
            (socket.AF_UNIX, f"\0coursekit-test-{PORT}"),
            (socket.AF_UNIX, OUTSIDE + "/socket"),
        ):
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
                try:
                    with socket.socket(family, kind) as s:
                        s.settimeout(0.2)
                        s.connect(address)
                        s.send(b"x")
                        found = True
                except OSError:
                    pass
        if found:
            even = "b"
        """,
    ),
    "writes outside": attack(
        r"""
        import os, sys, coursekit

        for place in (
            OUTSIDE,
            SUBMITTED,
            os.path.dirname(coursekit.__file__),
            sys.prefix,
            "/",
            "/usr",
            "/etc",
            "/proc/self/root" + OUTSIDE,
        ):
            for name in ("pwned", "sitecustomize.py", "../pwned"):
                try:
                    open(os.path.join(place, name), "w").write("import os")
                except OSError:
                    pass
                try:
                    os.symlink("/etc/passwd", os.path.join(place, name + "-link"))
                except OSError:
                    pass
        """,
        status="needs_review",
    ),
    "burns in sessions of its own": attack(
        r"""
        import os

        for _ in range(29):
            if os.fork() == 0:
                try:
                    os.setsid()
                except OSError:
                    pass
                while True:
                    pass
        while True:
            pass
        """,
        status="timeout",
    ),
}
