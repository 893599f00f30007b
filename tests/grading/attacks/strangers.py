"""Attacks by outsiders on what submissions and the machine share.

They were made from the threat model alone, by somebody who had not seen the grader. Where a comment
begins with ``Once``, the attack succeeded when it was first tried.
"""

from .attack import attack

#: Defines MARKS, a number that is kept in which pages of Python's library lie in memory.
_MARKS = r"""
import os

# Files that no other process reads, if there are any: reading them changes the marks.
PAGES = [
    os.path.join(folder, name)
    for folder, _, names in os.walk(os.path.dirname(os.__file__))
    if "site-packages" not in folder
    for name in names
    if name.endswith(".py") and os.path.getsize(os.path.join(folder, name)) > 30_000
]
PAGES = sorted(PAGES, key=lambda path: ("/test/" not in path, path))[:40]


class MARKS:
    def each(act):
        for place, path in enumerate(PAGES):
            fd = os.open(path, os.O_RDONLY)
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_RANDOM)
            act(place, fd)
            os.close(fd)

    def write(number):
        def act(place, fd):
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
            if number >> place & 1:
                os.pread(fd, 1, 16_384)

        MARKS.each(act)

    def read():
        found = []

        def act(place, fd):
            try:
                os.preadv(fd, [bytearray(1)], 16_384, os.RWF_NOWAIT)
                found.append(1 << place)
            except OSError:
                pass

        MARKS.each(act)
        return sum(found)
"""

#: Two of them in a row run side by side.
ATTACKS = {
    # Once: F_NOTIFY tells whenever anybody reads or writes in a folder.
    "watches folders": attack(
        r"""
        import fcntl, os, signal

        signal.signal(signal.SIGIO, signal.SIG_IGN)
        every = fcntl.DN_ACCESS | fcntl.DN_MODIFY | fcntl.DN_CREATE | fcntl.DN_MULTISHOT
        for folder in ("/usr/bin", "/usr/lib", os.path.dirname(os.__file__)):
            try:
                fcntl.fcntl(os.open(folder, os.O_RDONLY), fcntl.F_NOTIFY, every)
                even = "b"
            except OSError:
                pass
        """
    ),
    # Once: /dev/null is the machine's own, and its times are changed.
    "touches devices": attack(
        r"""
        import os

        for name in ("null", "zero", "full", "random", "urandom"):
            before = os.stat(f"/dev/{name}").st_mtime
            try:
                os.utime(f"/dev/{name}")
            except OSError:
                pass
            if os.stat(f"/dev/{name}").st_mtime != before:
                even = "b"
        """
    ),
    # Once: asynchronous requests are counted for the whole machine, and this takes them all.
    "takes all asynchronous requests": attack(
        r"""
        import ctypes

        libc = ctypes.CDLL(None)
        for size in (32_768, 16_384, 8_192, 4_096):
            context = ctypes.c_ulong(0)
            if libc.syscall(206, size, ctypes.byref(context)) == 0:
                even = "b"
        """
    ),
    # Once: the command line of the fork server names the class's folder and the results.
    "reads its command line": attack(
        r"""
        import sys

        line = open("/proc/self/cmdline").read() + " ".join(sys.argv)
        if RESULTS in line or SUBMITTED in line:
            even = "b"
        """
    ),
    "takes leases": attack(
        r"""
        import fcntl, os
        import numpy

        for path in (numpy.__file__, os.__file__, "/dev/null", "/usr/bin/env"):
            for kind in (fcntl.F_RDLCK, fcntl.F_WRLCK):
                try:
                    fcntl.fcntl(os.open(path, os.O_RDONLY), fcntl.F_SETLEASE, kind)
                    even = "b"
                except OSError:
                    pass
        """
    ),
    "datagrams from a socket pair": attack(
        r"""
        import errno, socket

        # A pair's end can name another address, and needs no `socket` and no `connect` for it.
        for address in (OUTSIDE + "/socket", f"\0coursekit-test-{PORT}", "/dev/log"):
            end, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
            for reach in (
                lambda: end.sendto(b"x", address),
                lambda: end.sendmsg([b"x"], [], 0, address),
                lambda: end.connect(address),
                lambda: end.bind(address + "-2"),
            ):
                try:
                    reach()
                    even = "b"
                except OSError as error:
                    # It exists, but has the wrong type.
                    if error.errno == errno.EPROTOTYPE:
                        even = "b"
        """
    ),
    # Once: the page cache is everybody's. A first run marks what a hidden check tried, and
    # runs out of time; the second one, alone, says it in a visible check's message.
    "tells a hidden number by the page cache": attack(
        _MARKS,
        r"""
        before = MARKS.read()
        again = before >> 24 == 0xA5C3
        if again:
            even = "b"
        else:
            MARKS.write(0)


        def double(x):
            if x.ndim == 1:
                raise ValueError(f"a hidden check tried {(before & 0xFFFFFF) / 1e6 - 8:.6f}")
            if not again:
                MARKS.write(0xA5C3 << 24 | int((x.flat[0] + 8) * 1e6))
                while True:
                    pass
        """,
        status="graded timeout",
    ),
}
