"""Attacks within its own Python: memory, hooks, clocks, what happens at the end."""

from .attack import attack

#: Right, but for what it does to its argument.
SPOILS = """
def double(x):
    doubled = 2 * x
    x[:] = 0
    return doubled
"""
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
    "says that it spoils nothing": attack(
        r"""
        import sys

        server = sys.modules["coursekit.grade.learner.server"].Server
        server._pictures = lambda *a: []
        honest = server._do_call


        def says_nothing(self, request):
            return {**honest(self, request), "after": [], "changed": []}


        server._do_call = says_nothing
        """,
        SPOILS,
        status="needs_review",
    ),
    "says so from another thread": attack(
        r"""
        import gc, threading
        from types import FunctionType


        class Same:
            __eq__ = lambda *a: True
            __hash__ = object.__hash__
            __array__ = shape = tobytes = property(lambda self: self)


        def code():
            names = ("_do_call", "keep")
            return [f for f in gc.get_objects() if type(f) is FunctionType and f.__name__ in names]


        def patch():
            for function in code():
                function.__globals__["_said"] = Same()
                if function.__name__ == "_do_call":
                    function.__code__ = (
                        lambda self, request: {
                            "result": self._objects[request["target"]](*request["args"]),
                            "call": None,
                            "after": [_said for _ in request["args"]],
                        }
                    ).__code__


        thread = threading.Thread(target=patch)
        thread.start()
        thread.join()
        """,
        SPOILS,
    ),
    "sends no argument back": attack(
        r"""
        import sys

        encoder = sys.modules["coursekit.grade.values"].Encoder
        encode = encoder.encode


        def forgetful(self, value, depth=0):
            if isinstance(value, dict) and "after" in value:
                value = {**value, "after": None}
            return encode(self, value, depth)


        encoder.encode = forgetful
        """,
        SPOILS,
        status="needs_review",
    ),
}
