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

        yes = lambda *a, **k: True
        np.allclose = np.array_equal = yes
        np.testing.assert_allclose = np.testing.assert_array_equal = yes
        np.isclose = yes


        def double(x):
            return x
        """,
    ),
    "equal to everything": attack(
        r"""
        class E:
            def __eq__(self, o):
                return True

            __ne__ = __lt__ = __gt__ = lambda s, o: False
            __le__ = __ge__ = __eq__

            def __hash__(self):
                return 0

            def __array__(self, *a, **k):
                return [2.0, 4.0, 6.0]

            def __getattr__(self, n):
                return self

            def __call__(self, *a, **k):
                return self

            def __bool__(self):
                return True

            def __len__(self):
                return 3

            def __getitem__(self, k):
                return self


        double = Counter = E()
        half = E()
        even = E()
        """,
        status="any",
    ),
    "raises what checks raise": attack(
        r"""
        from coursekit import CheckFailed


        class Passed(BaseException):
            pass


        def double(x):
            raise Passed()


        class Counter:
            def __init__(self, s):
                raise CheckFailed("")
        """,
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
