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
}
