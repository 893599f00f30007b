"""Attacks within its own Python: memory, hooks, clocks, what happens at the end."""

from .attack import SERVER, attack

#: Right, but for what it does to its argument.
SPOILS = """
def double(x):
    doubled = 2 * x
    x[:] = 0
    return doubled
"""
ATTACKS = {
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
    "a server of its own": attack(
        SERVER,
        r"""
        # Takes the next requests itself, tells what was asked, and answers with yes.
        while True:
            header, payload = server._channel.receive()
            body = {"t": "dict", "v": [["ok", True], ["error", None], ["callback", -1]]}
            server._channel.send({"token": header["token"], "body": body})
        """,
        status="needs_review timeout",
    ),
    "calls what it was not given": attack(
        SERVER,
        r"""
        def double(x):
            return server._callback(0, "expect_close")(x, x)
        """,
        status="needs_review",
    ),
    "says that it spoils nothing": attack(
        r"""
        import sys

        server = sys.modules["coursekit.grade.learner.server"].Server
        honest = server._do_call


        def says_nothing(self, request):
            return {**honest(self, request), "after": [], "changed": []}


        server._do_call = says_nothing
        """,
        SPOILS,
        status="needs_review",
    ),
}
