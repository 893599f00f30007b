"""Attacks with values that are not what they seem."""

from .attack import SERVER, attack

ATTACKS = {
    "numbers that equal all numbers": attack(
        r"""
        class F(float):
            __eq__ = __le__ = __ge__ = __lt__ = lambda s, o: True
            __sub__ = __rsub__ = __abs__ = lambda s, *o: F(0)
            __float__ = lambda s: 2.5
            __hash__ = lambda s: hash(2.5)
            as_integer_ratio = lambda s: (5, 2)


        class I(int):
            __eq__ = lambda s, o: True
            __index__ = __int__ = lambda s: 7
            __hash__ = lambda s: 7
            bit_length = lambda s: 3


        class Counter:
            def __init__(self, start=0):
                self.total = I(99)

            def add(self, n):
                return I(99)


        half = F(99)
        """
    ),
    "arrays over forged memory": attack(
        r"""
        import numpy as np


        class A(np.ndarray):
            shape = property(lambda s: (2**40,))
            nbytes = itemsize = size = property(lambda s: 2**62)
            dtype = property(lambda s: np.dtype("O"))
            tobytes = tolist = __array__ = lambda s, *a, **k: b"\x40" * 24
            __array_finalize__ = __array_wrap__ = lambda s, *a, **k: None
            __array_ufunc__ = __array_function__ = lambda s, *a, **k: np.array([2.0, 4.0, 6.0])


        def double(x):
            return np.asarray(x).view(A)


        half = np.lib.stride_tricks.as_strided(np.zeros(1), (10**6,), (0,))
        """,
        status="any",
    ),
    "handles of others": attack(
        SERVER,
        r"""
        tree = {"t": "handle", "id": -1, "kind": "data", "type": "ndarray", "_open": True}
        type(server._objects).describe = lambda self, value: tree


        def double(x):
            return object()


        class Counter:
            def __init__(self, start=0):
                self.total = self.add = object()
        """,
        status="any",
    ),
}
