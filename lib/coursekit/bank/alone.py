"""Run an answer on its own, then its checks: the same in page, notebook and terminal.

An answer's namespace is its own. It has the answers to the earlier steps that its exercise uses,
the imports that the exercise gives, and what stands in its cell; nothing of a check, of the
chapter's text or of another exercise. A class does the same in a confined process:
:mod:`coursekit.grade.attempt`.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from typing import Any

from coursekit.bank.running import run_check, with_reason
from coursekit.judge.checks import Check
from coursekit.judge.comparisons import Known
from coursekit.judge.numpy_only import builtins_without_torch, numpy_only
from coursekit.judge.shell import Shell, no_input
from coursekit.judge.stopped import FILE
from coursekit.judge.verdict import Verdict

#: The names that an answer defines, by name.
Names = dict[str, Any]


@dataclass(frozen=True)
class Ran:
    """An answer that was run.

    Attributes
    ----------
    shell : Shell
        Its namespace.
    cells : tuple of str
        What was run as the learner's.
    value : object
        What its last line gave, if that is an expression.
    error : BaseException, optional
        What it raised.
    """

    shell: Shell
    cells: tuple[str, ...] = ()
    value: Any = None
    error: BaseException | None = None

    @property
    def names(self) -> Names:
        """What the answer defines, and what was there before."""
        return self.shell.user_ns


def run_alone(
    before: Iterable[str],
    *cells: str,
    without_torch: bool = False,
    names: Mapping[str, Any] | None = None,
    kernel: Any = None,
) -> Ran:
    """Run an answer's cells after the code ``before``, all of it, in a namespace of its own.

    Nothing confines it. Code that fails does not keep the next one from running, as in a notebook.

    Parameters
    ----------
    before : iterable of str
        Earlier answers and the exercise's imports.
    *cells : str
        The learner's cells, the answer's last.
    without_torch : bool
        Whether PyTorch is refused.
    names : mapping of str to object, optional
        What is there at the start.
    kernel : object, optional
        The IPython shell that the cells belong to.

    Raises
    ------
    KeyboardInterrupt
        It was interrupted.
    """
    shell = Shell({"input": no_input, **(names or {})}, kernel)
    if without_torch:
        shell.user_ns["__builtins__"] = builtins_without_torch()
    with numpy_only(without_torch):
        with redirect_stdout(_Nowhere()), redirect_stderr(_Nowhere()):
            error = shell.run_cells(before, "<earlier steps>")[1]
            error = shell.run_cells(cells[:-1], f"{FILE}, an earlier cell")[1] or error
        value, own = shell.run_cells(cells[-1:], FILE)
    return Ran(shell, cells, value, own or error)


class _Nowhere(io.TextIOBase):
    def write(self, text: str) -> int:
        return len(text)


def checks_of(data: Mapping[str, Any]) -> list[Check]:
    """Return the checks whose source is in what a page or a notebook has of an exercise."""
    space: dict[str, Any] = {}
    exec(compile(data["check_source"], "the checks", "exec"), space)
    return [space[name] for name in data["checks"]]


def judge(data: Mapping[str, Any], ran: Ran) -> tuple[Verdict, ...]:
    """Return the verdicts of a page's or a notebook's checks on an answer.

    ``data`` has ``exercise`` (an id), what `checked_with` gives, and may say ``without_torch``.
    They have pictures of wrong values.
    """
    return verdicts_on(
        ran,
        checks_of(data),
        lambda check, names: run_check(
            check,
            names,
            exercise=data["exercise"],
            misconceptions=data["misconceptions"],
            without_torch=data.get("without_torch", False),
            known=partial(Known.from_data, data["known"].get(check.name, [])),
            draws=True,
        ),
    )


def verdicts_on(
    ran: Ran, checks: Iterable[Check], verdict_of: Callable[[Check, Names], Verdict]
) -> tuple[Verdict, ...]:
    """Return the verdicts of all checks on what an answer defines, and why it may be missing."""
    return tuple(with_reason(verdict_of(check, ran.names), ran.error) for check in checks)
