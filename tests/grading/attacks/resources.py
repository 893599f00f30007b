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
    "ignores every signal": attack(
        r"""
        import signal

        for s in range(1, 65):
            try:
                signal.signal(s, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        while True:
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
    "allocates step by step": attack(
        r"""
        import numpy as np

        kept = []
        while True:
            kept.append(np.ones(1 << 20))
        """,
        status="memory timeout",
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
    "starts 200 processes": attack(
        r"""
        import os, time

        for _ in range(200):
            if os.fork() == 0:
                time.sleep(300)
        """,
        status="any",
    ),
    "fork bomb": attack(
        r"""
        import os

        while True:
            os.fork()
        """,
        status="any",
    ),
    "starts 200 threads": attack(
        r"""
        import threading, time

        for _ in range(200):
            threading.Thread(target=time.sleep, args=(300,)).start()
        """,
        status="any",
    ),
    "double-forked daemon": attack(
        r"""
        import os, time

        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True:
                    time.sleep(1)
            os._exit(0)
        """,
        status="needs_review",
    ),
    "never returns from its end": attack(
        r"""
        import atexit, time, threading

        atexit.register(time.sleep, 300)
        threading.Thread(target=time.sleep, args=(300,)).start()
        """,
        status="needs_review",
    ),
    "prints 100 MB": attack(
        r"""
        for _ in range(100):
            print("x" * 1_000_000)
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
    "memory that no process owns": attack(
        r"""
        import os

        kept = []
        for n in range(100):
            fd = os.memfd_create(str(n))
            os.ftruncate(fd, 15 << 20)
            os.write(fd, bytes(15 << 20))
            kept.append(fd)
        even = "b"
        """,
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
    "shared memory that outlives it": attack(
        r"""
        import ctypes

        libc = ctypes.CDLL(None)
        found = libc.shmget(0, ctypes.c_size_t(1 << 30), 0o1666) >= 0
        if found:
            even = "b"
        """,
    ),
    "os._exit": attack(
        r"""
        import os

        os._exit(0)
        """,
        status="crashed",
    ),
    "kills itself": attack(
        r"""
        import os

        os.kill(os.getpid(), 9)
        os.abort()
        """,
        status="crashed",
    ),
    "segmentation fault": attack(
        r"""
        import ctypes

        ctypes.string_at(0)
        """,
        status="crashed",
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
    "stack overflow": attack(
        r"""
        import sys

        sys.setrecursionlimit(10**9)


        def f():
            return f()


        f()
        """,
        status="any",
    ),
}
