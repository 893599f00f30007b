"""Attacks by outsiders on what submissions and the machine share.

They were made from the threat model alone, by somebody who had not seen the grader. Where a comment
begins with ``Once``, the attack succeeded when it was first tried.
"""

from .attack import attack

ATTACKS = {
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
    # Once: the page cache is everybody's. A first run marked in it what a hidden check tried, and a
    # second one told it in a visible check's message.
    "asks which pages are in memory": attack(
        r"""
        import os

        file = os.open(os.__file__, os.O_RDONLY)
        os.pread(file, 1, 0)
        try:
            os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)
            even = "b"
        except OSError:
            pass
        """
    ),
}
