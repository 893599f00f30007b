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
    "is right for the numbers of the visible check": attack(
        r"""
        seen = []


        def double(x):
            seen.append(x)
            return seen[0] * 3
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
    "patches builtins": attack(
        r"""
        import builtins

        builtins.abs = lambda x: 0
        builtins.isinstance = lambda *a: True
        builtins.AssertionError = Warning
        builtins.len = lambda x: 7


        def double(x):
            return x
        """,
        status="any",
    ),
    "AST transformer": attack(
        r"""
        class T:
            def visit(self, node):
                node.body = []
                return node


        get_ipython().ast_transformers.append(T())
        get_ipython().input_transformers_cleanup.append(lambda lines: [])
        """,
        r"""
        def double(x):
            return x
        """,
    ),
    "patches coursekit": attack(
        r"""
        import coursekit, coursekit.bank.running, coursekit.judge.expect, sys

        for m in list(sys.modules.values()):
            for n in ("expect", "expect_close", "expect_shape"):
                if hasattr(m, n):
                    setattr(m, n, lambda *a, **k: None)
        coursekit.judge.verdict.Verdict.points = 9
        coursekit.bank.running._failure = lambda *a: None


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
    "array subclass that lies": attack(
        r"""
        import numpy as np


        class A(np.ndarray):
            def __array_ufunc__(self, *a, **k):
                return np.True_

            def __array_function__(self, *a, **k):
                return np.True_

            def __eq__(self, o):
                return np.True_

            def all(self):
                return True


        def double(x):
            return np.asarray(x).view(A)
        """,
    ),
    "poses as an array": attack(
        r"""
        class P:
            shape, dtype, ndim, size = (3,), "float64", 1, 3

            def __init__(self, x):
                self.x = x

            def detach(self):
                return self

            cpu = detach

            def numpy(self):
                return self.x

            def sum(self, *a, **k):
                return 12.0


        def double(x):
            return P(x)
        """,
    ),
    "answers of the wrong kind": attack(
        r"""
        class Counter(int):
            def __new__(cls, *a):
                return int.__new__(cls, 7)

            def add(self, n):
                return "seven"

            total = property(lambda s: [8])


        double = {1: double} if "double" in globals() else {"a": {1, 2}}
        half = {"t": "handle", "id": 0}
        """,
        status="needs_review",
    ),
    "text that poses as a message": attack(
        r"""
        even = {"t": "ellipsis"}
        half = {"t": "array", "d": "O", "s": [1], "o": 0, "n": 8}
        """,
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
    "hooks imports": attack(
        r"""
        import sys, builtins


        class H:
            def find_spec(self, *a):
                raise SystemExit


        sys.meta_path.insert(0, H())
        sys.modules.clear()
        builtins.__import__ = lambda *a, **k: None
        """,
        status="any",
    ),
    "traces and profiles": attack(
        r"""
        import sys, threading


        def t(f, e, a):
            f.f_locals.update(points=9)
            return t


        sys.settrace(t)
        sys.setprofile(t)
        threading.settrace(t)


        def double(x):
            return x
        """,
        status="any",
    ),
}
