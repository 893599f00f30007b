"""Attacks on the conversation with the grader: forged, broken and endless messages."""

from .attack import attack

ATTACKS = {
    "forges answers in advance": attack(
        r"""
        import os, struct, json

        answer = {"t": "dict", "v": [["ok", {"t": "dict", "v": [["double", 1]]}]]}
        body = json.dumps({"token": "", "body": answer}).encode()
        for fd in range(3, 20):
            try:
                os.write(fd, struct.pack(">4sII", b"CKG1", len(body), 0) + body)
            except OSError:
                pass
        """,
        status="needs_review",
    ),
    "writes garbage to the grader": attack(
        r"""
        import os

        os.write(3, os.urandom(1000))
        """,
        status="needs_review crashed timeout",
    ),
    "announces four gigabytes": attack(
        r"""
        import os, struct

        os.write(3, struct.pack(">4sII", b"CKG1", 2**32 - 1, 2**32 - 1))
        """,
        status="needs_review",
    ),
    "hangs up": attack(
        r"""
        import os

        for fd in range(3, 20):
            try:
                os.close(fd)
            except OSError:
                pass
        """,
        status="crashed",
    ),
    "two processes answer": attack(
        r"""
        import os

        os.fork()


        def double(x):
            return x
        """,
        status="any",
    ),
    "takes the server over": attack(
        r"""
        import sys

        f = sys._getframe()
        server = None
        while f:
            server = (
                f.f_locals.get("self", server)
                if type(f.f_locals.get("self")).__name__ == "Server"
                else server
            )
            f = f.f_back
        yes = lambda request: {"result": 7, "call": None, "after": []}
        type(server)._do_call = lambda self, request: yes(request)
        type(server)._do_names = lambda self, request: dict.fromkeys(request["names"], {"x": 1})
        type(server)._do_get = lambda self, request: 8
        """,
        status="needs_review",
    ),
    "talks and talks": attack(
        r"""
        import threading, os


        def talk():
            while True:
                try:
                    os.write(3, b"CKG1" * 1000)
                except OSError:
                    return


        for _ in range(4):
            threading.Thread(target=talk, daemon=True).start()
        """,
        status="any",
    ),
    "a message that never ends": attack(
        r"""
        import os, struct, time

        os.write(3, struct.pack(">4sII", b"CKG1", 1000, 0))
        while True:
            os.write(3, b" ")
            time.sleep(0.1)
        """,
        status="timeout",
    ),
    "a message nested deep": attack(
        r"""
        import os, struct

        os.write(3, struct.pack(">4sII", b"CKG1", 200_000, 0) + b"[" * 200_000)
        """,
        status="needs_review",
    ),
    "keys that collide": attack(
        r"""
        # All hash to 0: each insertion passes all the earlier ones.
        even = {number * (2**61 - 1): 0 for number in range(9_000)}
        half = [dict(even) for _ in range(9)]


        def double(x):
            return {number * (2**61 - 1): 0 for number in range(20_000)}
        """,
        status="any",
    ),
    "deep results": attack(
        r"""
        def double(x):
            r = []
            for _ in range(100_000):
                r = [r]
            return r


        half = []
        half.append(half)
        even = 10**100_000
        """,
    ),
    "huge results": attack(
        r"""
        import numpy as np, itertools


        def double(x):
            return np.broadcast_to(2.0, (10**6, 10**6))


        half = "x" * (40 << 20)
        even = (i for i in itertools.count())


        class Counter:
            def __init__(self, s):
                self.total = list(range(10**6))

            def add(self, n):
                return np.zeros((0, 2**40))
        """,
        status="any",
    ),
    "forged array headers": attack(
        r"""
        import sys

        f = sys._getframe()
        while f and type(f.f_locals.get("self")).__name__ != "Server":
            f = f.f_back
        server = f.f_locals["self"]


        def send(body):
            for tree in (
                {"t": "array", "d": "<f8", "s": [2**40, 2**40, 0], "o": 0, "n": 0},
                {"t": "array", "d": "O", "s": [1], "o": 0, "n": 8},
            ):
                server._channel.send({"token": server._token, "body": {"ok": tree}})


        server._send = send
        """,
        status="needs_review",
    ),
}
