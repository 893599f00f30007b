"""Attacks by outsiders on what no limit counts, and on what lasts."""

from .attack import attack

ATTACKS = {
    # Once: a pipe that holds 4 kB of a huge page holds the whole page, which nobody maps.
    "huge pages in pipes": attack(
        r"""
        import ctypes, os, re

        libc = ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_void_p
        HUGE, SLOTS = 2 << 20, 16
        pipes, held = [], 0
        while held < 560 << 20:
            pipes.append(os.pipe())
            length = ctypes.c_size_t(HUGE * (SLOTS + 1))
            start = libc.mmap(None, length, 3, 0x22, -1, ctypes.c_long(0))
            first = -(-start // HUGE) * HUGE
            libc.madvise(ctypes.c_void_p(first), ctypes.c_size_t(HUGE * SLOTS), 14)
            for at in range(first, first + SLOTS * HUGE, HUGE):
                ctypes.memset(at, 1, 4096)
                piece = (ctypes.c_size_t * 2)(at, 4096)
                libc.syscall(278, pipes[-1][1], piece, 1, 2)
            told = open("/proc/self/smaps_rollup").read()
            held += int(re.search(r"AnonHugePages: +(\d+)", told)[1]) << 10 or 64 << 20
            huge = "AnonHugePages:         0 kB" not in told
            libc.munmap(ctypes.c_void_p(start), length)
            if not huge:
                break
        else:
            even = "b"
        """,
        status="graded memory",
    ),
    # Once: what a socket's end has not read yet belongs to nobody's memory.
    "full socket buffers": attack(
        r"""
        import mmap, os, socket, struct, time

        sent = mmap.mmap(-1, 4096)


        def fill(number):
            kept, total, block = [], 0, bytes(1 << 16)
            while True:
                try:
                    kept.append(socket.socketpair())
                except OSError:
                    break
                for end in kept[-1]:
                    end.setblocking(False)
                    try:
                        while True:
                            total += end.send(block)
                    except OSError:
                        struct.pack_into("q", sent, 8 * number, total)
            time.sleep(20)


        for number in range(24):
            if os.fork() == 0:
                fill(number)
        end = time.time() + 3
        while time.time() < end and sum(struct.unpack_from("24q", sent)) < 270 << 20:
            time.sleep(0.05)
        time.sleep(3)  # it is seen meanwhile, also on a busy machine
        if sum(struct.unpack_from("24q", sent)) >= 270 << 20:
            even = "b"
        """,
        status="graded memory timeout",
    ),
    # Once: nobody waits for the children of a process that ignores SIGCHLD, and their seconds are
    # lost.
    "ghosts that nobody counts": attack(
        r"""
        import mmap, os, signal, struct, time

        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        spent, number = mmap.mmap(-1, 8 * 4096), 0
        seconds = lambda: sum(struct.unpack("4096d", spent))
        end = time.time() + 5.5
        while time.time() < end and seconds() < 4:
            number += 1
            try:
                ghost = os.fork()
            except BlockingIOError:
                time.sleep(0.02)
                continue
            if ghost == 0:
                stop = time.process_time() + 0.05
                while time.process_time() < stop:
                    pass
                struct.pack_into("d", spent, 8 * number, time.process_time())
                os._exit(0)
            time.sleep(0.025)
        # A cell has 2 seconds of processor time, and half a second of grace.
        if seconds() >= 4:
            even = "b"
        """,
        status="graded timeout",
    ),
    "sessions and priorities": attack(
        r"""
        import ctypes, os

        libc = ctypes.CDLL(None)
        before = open("/proc/self/autogroup").read()
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.setsid()
            libc.syscall(112)
            os.write(writing, open("/proc/self/autogroup").read().encode())
            os._exit(0)
        os.wait()
        if os.read(reading, 100).decode() != before:
            even = "b"
        for policy in (os.SCHED_FIFO, os.SCHED_RR, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK):
            try:
                os.sched_setscheduler(0, policy, os.sched_param(1))
                even = "b"
            except OSError:
                pass
        for which in (os.PRIO_PROCESS, os.PRIO_PGRP, os.PRIO_USER):
            try:
                os.setpriority(which, 0, -1)
                even = "b"
            except OSError:
                pass
        # The disk's real-time class.
        if libc.syscall(251, 1, 0, 1 << 13 | 4) == 0:
            even = "b"
        """
    ),
    "raises its limits": attack(
        r"""
        import resource

        for name in dir(resource):
            if name.startswith("RLIMIT_"):
                which = getattr(resource, name)
                _, hard = resource.getrlimit(which)
                for more in (hard + 1, hard * 2, resource.RLIM_INFINITY):
                    try:
                        resource.setrlimit(which, (more, more))
                    except (OSError, ValueError, OverflowError):
                        continue
                    if 0 <= hard != more:
                        even = "b"
        """
    ),
    "names and attributes without end": attack(
        r"""
        import os

        for place in (".", "/dev/shm"):
            try:
                for number in range(100_000):
                    path = f"{place}/{number}" + "x" * 200
                    open(path, "w").close()
                    os.truncate(path, 16 << 20)
            except OSError:
                pass
            try:
                for number in range(10_000):
                    os.setxattr(place, f"user.{number}", bytes(60_000))
            except OSError:
                pass
        """,
        status="needs_review",
    ),
    "signals that nobody takes": attack(
        r"""
        import ctypes, os, signal

        signal.pthread_sigmask(signal.SIG_BLOCK, {40})
        libc = ctypes.CDLL(None)
        for _ in range(120_000):
            if libc.sigqueue(os.getpid(), 40, None):
                break
        timers = [libc.timer_create(0, None, ctypes.byref(ctypes.c_void_p())) for _ in range(9_000)]
        """,
        status="needs_review",
    ),
}
