"""One readable line for what a reader's code raised, and what it does not have here."""

from __future__ import annotations

import builtins
import re
from linecache import getline
from traceback import walk_tb
from types import FrameType

from coursekit.error_origin import UNCALLABLE, text_of
from coursekit.numpy_only import USES_TORCH, TorchRefusedError
from coursekit.verdict import PLACEHOLDER

#: A line of IPython: a command, or a question.
_MAGIC = re.compile(r"\s*(?:[%!?]\S.*|\S+\?+$)")


def explain(error: BaseException, file: str) -> str:
    """Return one readable line for what the code in ``file`` raised."""
    own = [step for step in walk_tb(error.__traceback__) if step[0].f_code.co_filename == file]
    frame, number = own[-1] if own else (None, None)  # the innermost
    if isinstance(error, SyntaxError) and error.filename == file:
        number = error.lineno
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
    text, name = text_of(error), type(error).__name__
    if isinstance(error, SyntaxError) and (magic := _MAGIC.match(error.text or "")):
        text = f"`{magic[0].strip()}` is a command of notebooks, and a page runs Python alone"
    if taken := _taken(text, frame, getline(file, number or 0)):
        text += f". You gave `{taken}` a value: rename it; `del {taken}` brings Python's own back"
    return f"{where}{name}: {text}" if text else f"{where}{name}."


def _taken(text: str, frame: FrameType | None, line: str) -> str:
    """Return the built-in that ``line`` calls where a name hides it; "" for none."""
    kind = said[1] if (said := UNCALLABLE.fullmatch(text)) else ""
    names = {**frame.f_globals, **frame.f_locals} if frame else {}
    called = [name for name in re.findall(r"\w+(?=\()", line) if hasattr(builtins, name)]
    return next((name for name in called if type(names.get(name)).__name__ == kind), "")


def no_input(prompt: str = "") -> str:
    """Stand where ``input`` is: nobody can be asked."""
    raise RuntimeError("input() does not work here; write the value into the code")
