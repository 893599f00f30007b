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
}
