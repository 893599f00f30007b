"""One readable line for what a reader's code raised, and what it does not have here."""

from __future__ import annotations

from coursekit.error_origin import text_of
from coursekit.numpy_only import USES_TORCH, TorchRefusedError
from coursekit.verdict import PLACEHOLDER


def line_of(error: BaseException, file: str) -> int | None:
    """Return the reader's line in which ``error`` arose: the innermost that is theirs."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def explain(error: BaseException, file: str) -> str:
    """Return one readable line for what the code in ``file`` raised."""
    number = line_of(error, file)
    where = "" if number is None else f"Line {number}: "
    # A library's own NotImplementedError has a text of its own, and is told as such below.
    if isinstance(error, NotImplementedError) and text_of(error) in ("", PLACEHOLDER):
        return f"{where}nothing is here yet. Replace the placeholder with your code."
    if isinstance(error, TorchRefusedError):
        return f"{where}{USES_TORCH}"
    if isinstance(error, ModuleNotFoundError):
        return (
            f"{where}there is no module {error.name!r} here. The page's Python has NumPy and this "
            "course's library; anything else runs in the notebook."
        )
    text = error.msg if isinstance(error, SyntaxError) else text_of(error)
    name = type(error).__name__
    return f"{where}{name}: {text[:300]}" if text else f"{where}{name}."


def no_input(prompt: str = "") -> str:
    """Stand where ``input`` is: nobody can be asked."""
    raise RuntimeError("input() does not work here; write the value into the code")
