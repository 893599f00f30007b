"""Attacks by outsiders: forged and broken messages, odd answers and odd cells."""

from .attack import SERVER, attack

ATTACKS = {
    # Of several, all but the last become part of the message, unless each is read before the next.
    "bytes out of band": attack(
        SERVER,
        r"""
        import socket


        def double(x):
            for _ in range(5):
                server._channel._socket.send(b"!", socket.MSG_OOB)
            return x
        """,
        status="graded needs_review",
    ),
    "descriptors for the grader": attack(
        SERVER,
        r"""
        import array, os, socket

        wire = server._channel._socket


        def double(x):
            for _ in range(4):
                many = array.array("i", [os.open("/dev/zero", os.O_RDONLY) for _ in range(20)])
                wire.sendmsg([b"\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, many)])
            return x
        """,
        status="needs_review",
    ),
    # Once, though no row showed it: the grader imports torch, and keeps it for all others.
    "an answer that asks for gradients": attack(
        SERVER,
        r"""
        packed = type(server)._packed


        def forged(self, body):
            if isinstance(body.get("ok"), dict) and "result" in body["ok"]:
                body["ok"] |= {"call": 7, "changed": [10**30, -1, True, None]}
            return packed(self, body)


        type(server)._packed = forged


        def double(x):
            return x
        """,
    ),
    "characters that are none": attack(
        r"""
        import numpy as np

        none = np.frombuffer(b"\xff\xff\xff\x7f" * 3, "<U1")
        even = none
        half = {"a": none}


        def double(x):
            return none


        class Counter:
            def __init__(self, start=0):
                self.total = none

            def add(self, n):
                return none
        """,
        status="needs_review",
    ),
    "half characters and escapes": attack(
        r"""
        even = "\ud800"
        half = "\udc00" * 400


        def double(x):
            if x.ndim == 1:
                raise ValueError("\ud800 \x00 \x1b[2J \u2028 \u202e =1+1 <script>alert(1)</script>")
            return {"\ud800": 1}


        class Counter:
            def __init__(self, start=0):
                raise KeyError("\ud800\x1b]0;owned\x07\x9b2J")
        """,
    ),
    "plants in builtins": attack(
        r"""
        import builtins, sys

        builtins.isinstance = lambda value, kinds: True
        builtins.len = lambda value: 3
        builtins.repr = builtins.str = lambda *a: "b"
        sys.modules["json"] = sys.modules["numpy"] = None
        """,
        status="crashed",
    ),
    "cells that are hardly cells": attack(
        "even\x00 = 'b'",
        "half = '\ud800'; even = 'b' +",
        "return 5",
        "await __import__('asyncio').sleep(0)",
        "%%writefile /usr/x\n1",
        "%%bash\nkill -9 -1",
        "%run /etc/passwd",
        "\f\r\v\x1a",
        "get_ipython().kernel.do_shutdown(False)",
        "exit()",
        status="needs_review",
    ),
}
