"""Run cells as a notebook would, without a kernel: plain exec, and a table of the common magics.

IPython's own TransformerManager turns magics, shell lines and help into calls of ``get_ipython()``.
Here, magics that time or capture run their code; those that show, configure, install or start a
process do nothing. A notebook that uses more of ``get_ipython()`` gets a real shell, which only its
own cells see.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import re
import sys
import types
from typing import Any

_SPECIAL = re.compile(r"(?m)^\s*[%!?]|\?\s*$|=\s*[%!]")
_RUN_LINE = frozenset({"time", "timeit", "prun", "memit", "mprun"})
_RUN_CELL = frozenset({"time", "timeit", "capture", "prun", "memit"})


class Shell:
    """The learner's namespace and what ``get_ipython()`` returns in it."""

    def __init__(self) -> None:
        self.module = types.ModuleType("__main__")
        sys.modules["__main__"] = self.module
        self.user_ns = self.module.__dict__
        self.user_ns.update(get_ipython=lambda: self, display=lambda *a, **k: None)
        self._cells = 0

    def run_cell(self, source: str) -> None:
        """Run one cell, and let its exceptions through."""
        if _SPECIAL.search(source):
            source = _without_magics(source)
        self._cells += 1
        name = f"<cell {self._cells}>"
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        # dont_inherit: the __future__ import of this file must not apply to the notebook.
        code = compile(
            source, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True
        )
        result = eval(code, self.user_ns)
        if code.co_flags & inspect.CO_COROUTINE:
            import asyncio

            asyncio.run(result)

    def run_line_magic(self, name: str, line: str, *args: Any, **kwargs: Any) -> Any:
        """Run the code of a line magic that times it; ignore the other line magics."""
        if name in _RUN_LINE:
            self.run_cell(_statement(line))
        elif name == "run" and line.strip().endswith(".py"):
            raise FileNotFoundError(f"{line.strip()}: only the notebook itself is graded")

    def run_cell_magic(self, name: str, line: str, cell: str) -> Any:
        """Run the code of a cell magic that times or captures it; ignore the other cell magics."""
        if name in _RUN_CELL:
            self.run_cell(cell)

    def system(self, command: str) -> int:
        """Start nothing for ``!command``."""
        return 0

    def getoutput(self, command: str, *args: Any, **kwargs: Any) -> list[str]:
        """Start nothing and return no lines."""
        return []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._full_shell(), name)

    def _full_shell(self) -> Any:
        if "_shell" not in self.__dict__:
            from IPython.core.interactiveshell import InteractiveShell
            from traitlets.config import Config

            config = Config()
            config.HistoryManager.enabled = False
            shell = InteractiveShell(config=config, user_module=self.module)
            self.__dict__["_shell"] = shell
            # Undo the hooks that it has set to itself.
            sys.displayhook = sys.__displayhook__
            builtins.__dict__.pop("get_ipython", None)
            self.user_ns["get_ipython"] = lambda: self
        return self.__dict__["_shell"]


def _without_magics(source: str) -> str:
    try:
        from IPython.core.inputtransformer2 import TransformerManager
    except ImportError:
        lines = [("pass" if re.match(r"\s*[%!?]", line) else line) for line in source.splitlines()]
        return "\n".join(lines) + "\n"
    return str(TransformerManager().transform_cell(source))


def _statement(line: str) -> str:
    """Return the code of ``%timeit -n 10 code``, without the options and their numbers."""
    return re.sub(r"^(\s*-[a-z]+\s*\d*\s+)+", "", line)
