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
from collections.abc import Coroutine, Iterable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Any

_SPECIAL = re.compile(r"(?m)^\s*[%!?]|\?\s*$|=\s*[%!]")
_RUN_LINE = frozenset({"time", "timeit", "prun", "memit", "mprun"})
_RUN_CELL = frozenset({"time", "timeit", "capture", "prun", "memit"})


class Shell:
    """A namespace for cells, and what ``get_ipython()`` returns in it.

    ``names`` are there from the start; ``kernel`` is a real shell, where there is one already.
    """

    def __init__(self, names: Mapping[str, Any] = MappingProxyType({}), kernel: Any = None) -> None:
        self.module = types.ModuleType("__main__")
        self.user_ns = self.module.__dict__
        self.user_ns.update(get_ipython=lambda: self, display=lambda *a, **k: None)
        self.user_ns.update(names)
        self._kernel, self._cells = kernel, 0

    def run_cell(
        self, source: str, file: str = "", local: MutableMapping[str, Any] | None = None
    ) -> Any:
        """Run one cell, and let its exceptions through; return the value of a last expression.

        ``file`` is what tracebacks call the cell, ``local`` a mapping that takes its assignments.
        """
        self._cells += 1
        file = file or f"<cell {self._cells}>"
        # So that a message can quote the line in which it went wrong.
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        tree = ast.parse(without_magics(source), file)
        last = tree.body[-1] if tree.body else None
        if not isinstance(last, ast.Expr):
            return self._run(tree, file, local)
        self._run(ast.Module(tree.body[:-1], []), file, local)
        return self._run(ast.Expression(last.value), file, local)

    def run_cells(self, sources: Iterable[str], file: str = "") -> tuple[Any, BaseException | None]:
        """Run cells, of which one that fails does not keep the next one from running.

        Returns
        -------
        tuple
            The value of the last cell, and the last error.

        Raises
        ------
        KeyboardInterrupt
            They were interrupted.
        """
        value, error = None, None
        for source in sources:
            try:
                value = self.run_cell(source, file)
            except KeyboardInterrupt:
                raise
            except BaseException as raised:
                value, error = None, raised
        return value, error

    def _run(
        self, tree: ast.Module | ast.Expression, file: str, local: MutableMapping[str, Any] | None
    ) -> Any:
        # dont_inherit: the __future__ import of this file must not apply to the notebook.
        mode = "exec" if isinstance(tree, ast.Module) else "eval"
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        code = compile(tree, file, mode, flags=flags, dont_inherit=True)
        result = eval(code, self.user_ns, local)
        return _awaited(result) if code.co_flags & inspect.CO_COROUTINE else result

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
        if self._kernel is None:
            from IPython.core.interactiveshell import InteractiveShell
            from traitlets.config import Config

            config = Config()
            config.HistoryManager.enabled = False
            self._kernel = InteractiveShell(config=config, user_module=self.module)
            # Undo the hooks that it has set to itself.
            sys.displayhook = sys.__displayhook__
            builtins.__dict__.pop("get_ipython", None)
            self.user_ns["get_ipython"] = lambda: self
        return self._kernel


def _awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    with ThreadPoolExecutor(1) as other:  # a kernel's own loop waits for this cell
        return other.submit(asyncio.run, coroutine).result()


def without_magics(source: str) -> str:
    """Return a cell as Python: its magics as calls, or left out where IPython is not installed."""
    if not _SPECIAL.search(source):
        return source
    try:
        from IPython.core.inputtransformer2 import TransformerManager
    except ImportError:
        lines = [("pass" if re.match(r"\s*[%!?]", line) else line) for line in source.splitlines()]
        return "\n".join(lines) + "\n"
    return str(TransformerManager().transform_cell(source))


def python_of(source: str) -> str:
    """Return a cell with its magics and shell lines blanked, as plain Python, line for line."""
    if not _SPECIAL.search(source):
        return source
    lines = source.splitlines()
    first = lines[0].strip().split()[:1] if lines else []
    if first and first[0].startswith("%%") and first[0][2:] not in _RUN_CELL:
        return ""  # another language, or a magic of which nothing is known
    return "\n".join("" if re.match(r"\s*[%!?]|.*\?\s*$", line) else line for line in lines)


def _statement(line: str) -> str:
    """Return the code of ``%timeit -n 10 code``, without the options and their numbers."""
    return re.sub(r"^(\s*-[a-z]+\s*\d*\s+)+", "", line)


def no_input(prompt: str = "") -> str:
    """Stand where ``input`` is: nobody can be asked."""
    raise RuntimeError("input() does not work here; write the value into the code")
