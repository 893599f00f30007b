"""What a check can do with a learner's functions, classes and objects from another process."""

from __future__ import annotations

import builtins
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from coursekit import CheckFailed, call_keeping_inputs, expect_close
from coursekit.grade.grader import Grader
from coursekit.grade.proxy import proxies_for
from coursekit.grade.session import RemoteError, Session, raise_remote
from coursekit.verdict import CHANGES_ARGUMENTS

from .conftest import LIMITS

Names = Callable[[str], Any]


@pytest.fixture
def names(grader: Grader) -> Iterator[Names]:
    """Return a function that runs a cell and returns what its last name, or names, hold."""
    session = Session(grader._sandbox, LIMITS)
    proxies_for(session)

    def run(source: str, *answers: str) -> Any:
        session.request(2.0, do="cell", source=textwrap.dedent(source))
        values = session.request(2.0, do="names", names=list(answers or ("f",)))
        return values["f"] if not answers else [values[name] for name in answers]

    yield run
    session.close()


def test_functions_take_positions_keywords_and_defaults(names):
    f = names("def f(a, *rest, b=2, **more): return [a, rest, b, more]")
    assert f(1) == [1, (), 2, {}]
    assert f(1, 2, 3, b=4, c=5) == [1, (2, 3), 4, {"c": 5}]


def test_lambdas_partials_ufuncs_and_callables_are_functions(names):
    source = """
        import functools, numpy as np
        a, b, c = (lambda x: x + 1), functools.partial(pow, 2), np.negative
        class D:
            def __call__(self, x): return 10 * x
        d = D()
        """
    assert [g(3) for g in names(source, "a", "b", "c", "d")] == [4, 8, -3, 30]


def test_what_arguments_hold_after_a_call_is_read_where_a_check_asks(names):
    f = names("def f(x, g, z=None):\n    x += 1\n    z.append(1)\n    return 7")
    result, (x, g, z) = f.call_and_read_arguments(np.zeros(2), abs, z=[])
    assert (result, x.tolist(), g, z) == (7, [1.0, 1.0], abs, [1])


@pytest.mark.parametrize("remote", [False, True])
def test_a_check_that_insists_on_kept_inputs_sees_the_same_everywhere(names, remote):
    source = "def f(x, *, y):\n    y[0] = 3.0\n    return x\ndef g(x, *, y):\n    return x"
    space: dict[str, Any] = {}
    exec(source, space)
    f, g = names(source, "f", "g") if remote else (space["f"], space["g"])
    y = np.zeros(2)
    assert call_keeping_inputs(g, 5, y=y) == 5
    with pytest.raises(CheckFailed, match="changed `y`") as failed:
        call_keeping_inputs(f, 5, y=y)
    assert failed.value.misconception == CHANGES_ARGUMENTS
    assert y[0] == 0


def test_functions_of_the_check_can_be_passed_in(names):
    f = names("def f(g): return [g(n) for n in range(3)]")
    assert f(lambda n: n * n) == [0, 1, 4]
    f = names("def f(g):\n    try:\n        g(1)\n    except ValueError as e: return str(e)")
    assert "ZeroDivisionError" in f(lambda n: n / 0)


def test_a_function_of_the_check_that_gives_no_data_is_an_error_in_its_caller(names):
    f = names("def f(g):\n    try:\n        g()\n    except ValueError as e: return str(e)")
    assert "cannot cross" in f(object)
    assert f(lambda: 1) is None  # and the conversation goes on


def test_iterators_cross_in_both_directions(names):
    f = names("def f(parts):\n    for part in parts:\n        yield part + 1")
    assert list(f(iter([1, 2]))) == [2, 3]


@pytest.mark.parametrize(
    ("raised", "caught"),
    [
        ("ValueError('oh')", ValueError),
        ("KeyError('oh')", KeyError),
        ("FileNotFoundError(2, 'oh')", OSError),
        ("UnicodeDecodeError('utf-8', b'', 0, 1, 'oh')", UnicodeError),
        ("type('Mine', (TypeError,), {})('oh')", TypeError),
        ("StopIteration('oh')", StopIteration),
        ("Exception('oh')", RemoteError),
        ("KeyboardInterrupt('oh')", RemoteError),
        ("SystemExit('oh')", RemoteError),
    ],
)
def test_errors_arrive_as_their_nearest_builtin(names, raised, caught):
    f = names(f"def f():\n    raise {raised}")
    with pytest.raises(caught, match="oh") as error:
        f()
    assert "oh" in str(error.value)


def test_every_builtin_exception_can_be_raised_remotely():
    for name in dir(builtins):
        with pytest.raises(RemoteError, match="oh"):
            raise_remote({"type": name, "bases": [name], "message": "oh", "line": ""})


def test_instances_remember_and_are_read_and_written(names):
    stack = names(
        """
        class f:
            size, other = 3, {"a": [1]}
            def __init__(self, n): self.items = [n]
            def push(self, x): self.items.append(x); return self
            def __len__(self): return len(self.items)
            def __getitem__(self, k): return self.items[k]
            def __iter__(self): return iter(self.items)
        """
    )(1)
    assert stack.push(2).push(3) is not None
    assert (len(stack), stack[-1], list(stack), stack.size) == (3, 3, [1, 2, 3], 3)
    stack.items = [7]
    assert stack.items == [7]
    assert stack.other == {"a": [1]}
    with pytest.raises(AttributeError, match="nothing"):
        _ = stack.nothing


def test_a_result_cannot_pose_as_an_array(names):
    f = names(
        """
        class P:
            shape, size = (2,), 2
            def sum(self): return 3.0
            def detach(self): return self
            def __array__(self, *a, **k): return 0
            def __eq__(self, other): return True
            def __bool__(self): return True
        def f(): return P()
        """
    )
    posed = f()
    assert posed != 3.0
    for name in ("shape", "sum", "detach"):
        with pytest.raises(AttributeError):
            getattr(posed, name)
    with pytest.raises(TypeError, match="a P has no truth value"):
        bool(posed)
    with pytest.raises(CheckFailed, match="of type P"):
        expect_close(posed, [1.0, 2.0])


def test_a_value_that_cannot_cross_is_an_error_with_its_reason(names):
    f = names("def f(): return b'bytes'")
    with pytest.raises(CheckFailed, match="bytes"):
        expect_close(f(), 1.0)
    f = names("def f(): return [0] * 10**6")
    with pytest.raises(ValueError, match="more than 20000 values"):
        f()


def test_an_argument_that_is_not_data_is_the_checks_error(names):
    f = names("def f(x): return x")
    with pytest.raises(TypeError, match="cannot cross"):
        f(object())
