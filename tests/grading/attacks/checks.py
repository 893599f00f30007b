"""Fooling the checks: patches, poses, lies."""

from .attack import attack

ATTACKS = {
    "zeroes its arguments": attack(
        r"""
        # So that what is expected, computed from them afterwards, is 0 as well.
        def double(x):
            x[:] = 0
            return x
        """
    ),
    "patches numpy": attack(
        r"""
        import numpy as np

        np.allclose = np.array_equal = np.isclose = lambda *a, **k: True
        np.testing.assert_allclose = np.testing.assert_array_equal = np.allclose


        def double(x):
            return x
        """
    ),
    "equal to everything": attack(
        r"""
        class E:
            __eq__ = __le__ = __ge__ = lambda s, o: True
            __ne__ = __lt__ = __gt__ = lambda s, o: False
            __hash__ = lambda s: 0
            __array__ = lambda s, *a, **k: [2.0, 4.0, 6.0]
            __getattr__ = __getitem__ = __call__ = lambda s, *a, **k: s
            __bool__ = lambda s: True
            __len__ = lambda s: 3


        double = Counter = half = even = E()
        """,
        status="any",
    ),
    "exceptions with a life of their own": attack(
        r"""
        class B(Exception):
            def __str__(self):
                while True:
                    pass

            __repr__ = __str__
            args = property(lambda s: 1 / 0)


        def double(x):
            raise B()


        B.__name__ = "<script>" * 100
        """,
        status="any",
    ),
}
