"""Attacks on time, memory, processes and disk space."""

from .attack import attack

ATTACKS = {
    "endless loop that catches everything": attack(
        r"""
        import time

        while True:
            try:
                time.sleep(0.01)
            except BaseException:
                pass
        """,
        status="timeout",
    ),
    "allocates at once": attack(
        r"""
        x = bytearray(5 << 30)
        """,
        status="memory",
    ),
    "allocates in its children": attack(
        r"""
        import os, time

        for _ in range(12):
            if os.fork() == 0:
                x = bytearray(100 << 20)
                time.sleep(60)
        time.sleep(60)
        """,
        status="memory timeout",
    ),
    "fork bomb": attack(
        r"""
        import os

        while True:
            os.fork()
        """,
        status="any",
    ),
    "never returns from its end": attack(
        r"""
        import atexit, time, threading

        atexit.register(time.sleep, 300)
        threading.Thread(target=time.sleep, args=(300,)).start()
        """,
        status="needs_review",
    ),
    "fills the disk": attack(
        r"""
        import os

        for place in (".", "/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~")):
            for n in range(300):
                try:
                    with open(f"{place}/fill{n}", "wb") as f:
                        f.write(bytes(15 << 20))
                except OSError:
                    break
        """,
        status="any",
    ),
    "shared pages that it no longer looks at": attack(
        r"""
        import mmap, os, time

        # Given back, they count for no process, and stay for all.
        for _ in range(10):
            if os.fork() == 0:
                shared = mmap.mmap(-1, 180 << 20)
                for at in range(0, len(shared), 1 << 20):
                    shared[at : at + (1 << 20)] = bytes(1 << 20)
                    shared.madvise(mmap.MADV_DONTNEED, at, 1 << 20)
                time.sleep(60)
            time.sleep(0.1)
        time.sleep(60)
        """,
        status="memory",
    ),
    "kills everyone": attack(
        r"""
        import os

        for p in [-1, 1, *range(2, 40000)]:
            try:
                os.kill(p, 9)
            except OSError:
                pass
        """,
        status="needs_review crashed",
    ),
}
