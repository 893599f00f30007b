"""Run cells as a notebook would, without a kernel: plain exec, and a table of the common magics.

IPython's own TransformerManager turns magics, shell lines and help into calls of ``get_ipython()``.
Here, magics that show, configure, install or start a process do nothing, and any other one of a
cell, known or not, runs its code. A notebook that uses more of ``get_ipython()`` gets a real shell,
which only its own cells see.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import re
import sys
import types
from contextlib import suppress
from pathlib import Path
from typing import Any

_SPECIAL = re.compile(r"(?m)^\s*[%!?]|\?\s*$|=\s*[%!]")
_RUN_LINE = frozenset({"time", "timeit", "prun", "memit", "mprun"})
#: Magics of cells whose text is not the notebook's own code. Others time, watch or draw it.
_NOT_CODE = frozenset(
    {"!", "bash", "cmd", "html", "javascript", "js", "latex", "markdown", "perl", "pypy", "python"}
    | {"python2", "python3", "ruby", "script", "sh", "shell", "svg", "sx", "system"}
)


class Shell:
    """The learner's namespace and what ``get_ipython()`` returns in it."""

    def __init__(self) -> None:
        self.module = types.ModuleType("__main__")
        sys.modules["__main__"] = self.module
        self.user_ns = self.module.__dict__
        self.user_ns.update(get_ipython=self._own, display=lambda *a, **k: None)
        sys.path.append("")  # as in a notebook: its cells may write a module, and import it
        self._cells = 0

    def _own(self) -> Shell | None:
        """Return what the notebook's own code has as its IPython; no library sees one."""
        return self if sys._getframe(1).f_globals is self.user_ns else None

    def run_cell(self, source: str) -> None:
        """Run one cell, and let its exceptions through."""
        if "IPython" in source:
            with suppress(ImportError):
                import IPython.core.getipython

                for module in (IPython, IPython.core.getipython):
                    vars(module)["get_ipython"] = self._own
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
        elif name == "pylab":
            self.run_cell("from matplotlib.pylab import *")
        elif name == "run" and (file := Path(line.strip())).suffix == ".py":
            if not file.exists():
                raise FileNotFoundError(f"{file}: only the notebook itself is graded")
            self.run_cell(file.read_text())

    def run_cell_magic(self, name: str, line: str, cell: str) -> Any:
        """Run the code of a cell's magic, write the file of one, or ignore it."""
        if name in ("writefile", "file"):
            *options, file = line.split()
            with open(file, "a" if "-a" in options else "w") as out:
                out.write(cell)
        elif name.lower() not in _NOT_CODE:
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
            self.user_ns["get_ipython"] = self._own
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
