"""Attacks within its own Python: memory, hooks, clocks, what happens at the end."""

from .attack import attack

ATTACKS = {
    "writes into Python's own objects": attack(
        r"""
        import ctypes

        # 9 becomes 7 and 0 becomes 8, for everyone in this process.
        for number, other in ((9, 7), (0, 8)):
            ctypes.c_uint32.from_address(id(number) + 24).value = other


        class Counter:
            def __init__(self, start):
                self.total = 9

            def add(self, n):
                return 9
        """,
        status="any",
    ),
    "swaps types under the server": attack(
        r"""
        import ctypes, gc, sys, types

        names = ("encode", "_encode_int")
        for found in gc.get_objects():
            if isinstance(found, types.FunctionType) and found.__name__ in names:
                found.__code__ = (lambda *a, **k: {"t": "range", "v": [0, 3, 1]}).__code__
        """,
        status="any",
    ),
    "seeds and clocks": attack(
        r"""
        import random, time
        import numpy as np

        np.random.seed(0)
        np.random.default_rng = lambda *a: np.random.RandomState(0)
        np.random.Generator = np.random.RandomState
        random.random = lambda: 0.5
        time.monotonic = time.time = time.perf_counter = lambda: 0.0


        def double(x):
            return x + np.random.default_rng().normal(size=x.shape)
        """
    ),
    "a time bomb": attack(
        r"""
        import signal, threading, time

        calls = []


        def late(*a):
            globals()["double"] = lambda x: 3 * x
            raise KeyboardInterrupt


        def double(x):
            calls.append(x)
            time.sleep(1.9)
            return x


        signal.signal(signal.SIGALRM, late)
        signal.setitimer(signal.ITIMER_REAL, 0.5, 0.1)
        threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
        """,
        status="any",
    ),
    "never dies": attack(
        r"""
        import atexit, gc, os, sys, threading, weakref


        class Z:
            def __del__(self):
                while True:
                    try:
                        kept.append(Z())
                    except BaseException:
                        pass


        kept = []
        z = Z()
        weakref.finalize(z, os.fork)
        atexit.register(Z)
        threading.excepthook = sys.excepthook = sys.unraisablehook = lambda *a: Z()
        gc.callbacks.append(lambda *a: None)
        del z
        """,
        status="any",
    ),
    "leaves someone on the line": attack(
        r"""
        import os, time

        if os.fork() == 0:
            os.setsid()
            time.sleep(300)
        os._exit(0)
        """,
        status="crashed timeout",
    ),
    "becomes another program": attack(
        r"""
        import os

        os.execv("/bin/sh", ["sh", "-c", "while :; do :; done"])
        """,
        status="timeout crashed",
    ),
    "starts programs": attack(
        r"""
        import os, subprocess

        for command in ("id", "sh -c 'sleep 300 &'", "bwrap --bind / / true", "unshare -r true"):
            subprocess.run(command, shell=True, timeout=1)
        os.system("setsid sleep 300 &")
        """,
        status="any",
    ),
    "nested beyond any stack": attack(
        r"""
        import json, sys

        sys.setrecursionlimit(10**6)
        for attempt in (
            lambda: eval("(" * 90_000 + ")" * 90_000),
            lambda: eval("-" * 90_000 + "1"),
            lambda: json.loads("[" * 900_000),
            lambda: exec("if 1:\n" + "".join(" " * i + "if 1:\n" for i in range(1, 500))),
        ):
            try:
                attempt()
            except BaseException:
                pass
        half = ()
        for _ in range(200_000):
            half = (half,)
        """,
        status="any",
    ),
    "a server of its own": attack(
        r"""
        import sys

        frame = sys._getframe()
        while type(frame.f_locals.get("self")).__name__ != "Server":
            frame = frame.f_back
        server = frame.f_locals["self"]
        # Takes the next requests itself, tells what was asked, and answers with yes.
        while True:
            header, payload = server._channel.receive()
            body = {"t": "dict", "v": [["ok", True], ["error", None], ["callback", -1]]}
            server._channel.send({"token": header["token"], "body": body})
        """,
        status="needs_review timeout",
    ),
    "calls what it was not given": attack(
        r"""
        import sys

        frame = sys._getframe()
        while type(frame.f_locals.get("self")).__name__ != "Server":
            frame = frame.f_back
        server = frame.f_locals["self"]


        def double(x):
            return server._callback(0, "expect_close")(x, x)
        """,
        status="needs_review",
    ),
}
