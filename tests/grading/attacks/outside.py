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
    "changes the results": attack(
        r"""
        import os

        for mode in ("w", "a", "r+"):
            try:
                open(RESULTS, mode).write("{}")
            except OSError:
                pass
        try:
            os.unlink(RESULTS)
        except OSError:
            pass
        """,
        status="needs_review",
    ),
    "changes modes, times and lengths": attack(
        r"""
        import os

        for path in (SUBMITTED, os.path.dirname(SUBMITTED), RESULTS, SECRET, OUTSIDE):
            for change in (
                lambda: os.chmod(path, 0),
                lambda: os.utime(path, (0, 0)),
                lambda: os.truncate(path, 0),
                lambda: os.setxattr(path, "user.pwned", b"x"),
                lambda: os.chown(path, os.getuid(), -1),
                lambda: os.rename(path, path + "-pwned"),
            ):
                try:
                    change()
                    even = "b"
                except OSError:
                    pass
        """,
    ),
    "looks at the class without reading it": attack(
        r"""
        import ctypes, os

        libc = ctypes.CDLL(None, use_errno=True)
        watcher = libc.inotify_init()
        for path in (SUBMITTED, RESULTS, SECRET, BANK):
            if libc.inotify_add_watch(watcher, path.encode(), 0xFFF) >= 0:
                even = "b"
            try:
                os.stat(path)
                even = "b"
            except OSError:
                pass
        """,
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
    "breaks out by namespaces": attack(
        r"""
        import ctypes, os

        libc = ctypes.CDLL(None, use_errno=True)
        found = libc.unshare(0x10000000) == 0
        found |= libc.mount(b"/", b"/mnt", b"", 4096, b"") == 0
        found |= libc.chroot(b".") == 0
        try:
            os.setuid(0)
            found |= os.getuid() == 0
        except OSError:
            pass
        if found:
            even = "b"
        """,
    ),
}
