"""The code of a notebook's first cell, which runs where the course may not be installed."""


class MissingModules:
    """The modules that a notebook imports and that cannot be imported here.

    The parameters are those of `coursekit.notebook.install.Install`. Annotations are quoted: a
    Python that is too old for the course has to read them, too.
    """

    #: What pip says, in small letters, where it may not write and where it reaches no network.
    MAY_NOT = ("externally-managed", "permission denied", "operation not permitted", "read-only")
    OFFLINE = ("new connection", "name resolution", "failed to resolve", "unreachable", "timed out")

    class NotInstalledError(Exception):
        """One sentence that tells the reader what to do."""

        def _render_traceback_(self) -> "list[str]":  # Jupyter shows this in place of a traceback.
            return [str(self)]

    def __init__(
        self,
        modules: "dict[str, str]",
        sources: "list[str]",
        wheels: "list[str]",
        extras: str,
        python: str,
    ) -> None:
        import os
        import sys
        import zipfile

        self.modules, self.sources, self.wheels, self.python = modules, sources, wheels, python
        # The extras are those of the course's own wheel, which is the first.
        suffix = f"[{extras}]" if extras else ""
        self.with_extras = [wheel + suffix for wheel in wheels[:1]] + wheels[1:]
        # A download that broke off is a file, but without the end that makes it a wheel.
        self.wheels_are_here = bool(wheels) and all(map(zipfile.is_zipfile, wheels))
        self.paths = [os.path.abspath(wheel) for wheel in self.with_extras]
        self.in_colab = "google.colab" in sys.modules

    def install(self) -> None:
        """Have pip install them, or tell in one sentence what to do."""
        self.refuse_old_python()
        if names := self.names():
            self.refuse_without_source(names)
            print(f"Installing {', '.join(names)}; this can take some minutes …", flush=True)
            if self.in_colab:
                self.install_in_colab()
            else:
                self.install_with_extras(names)
                if {"anywidget", "ipywidgets"} & set(names):  # Jupyter looks for them at its start.
                    print(
                        "Figures move once you have saved the notebook, reloaded this page in the "
                        "browser and run the cells again."
                    )
            if names := self.names():
                raise self.NotInstalledError(
                    f"{', '.join(names)} cannot be imported although pip reported no error: "
                    "restart the kernel and run this cell again."
                )
        if self.in_colab and "anywidget" in self.modules:
            from google.colab import output

            output.enable_custom_widget_manager()

    def refuse_old_python(self) -> None:
        """Tell the reader which Python the course needs where this one is older."""
        import sys

        needed = tuple(map(int, self.python.split("."))) if self.python else ()
        if sys.version_info < needed:
            raise self.NotInstalledError(
                f"This notebook needs Python {self.python} or newer, and this kernel runs Python "
                f"{sys.version.split()[0]} ({sys.executable}): open it with a kernel of a newer "
                "Python."
            )

    def names(self) -> "list[str]":
        """Return the names of the modules that are still missing."""
        import importlib

        importlib.invalidate_caches()
        return [name for name in self.modules if not self.is_there(name)]

    def is_there(self, name: str) -> bool:
        """Whether a module can be imported; a folder of its name without code does not count."""
        import importlib.util
        import sys

        if name in sys.modules:
            return True
        spec = importlib.util.find_spec(name)
        return bool(spec and spec.origin)

    def refuse_without_source(self, names: "list[str]") -> None:
        """Tell the reader how to get the course's library where pip cannot get it."""
        import glob

        is_ours = any(not self.modules[name] for name in names)
        if is_ours and not (self.wheels_are_here or self.sources):
            others = [sorted(glob.glob(wheel.split("-")[0] + "-*.whl*")) for wheel in self.wheels]
            note = " ({} there is incomplete, renamed or of another version)"
            useless = "".join(note.format(", ".join(files)) for files in others if files)
            raise self.NotInstalledError(
                f"This notebook needs the course's library: put {' and '.join(self.wheels)}, which "
                f"the course's site offers with the notebooks, beside this notebook{useless} and "
                f"run this cell again, or run {self.command(self.with_extras)} in the folder that "
                "has the library."
            )

    def install_with_extras(self, names: "list[str]") -> None:
        """Install the course with its extras, or else what others provide."""
        if self.wheels_are_here:
            self.pip(*self.paths)
        else:
            self.pip(*(self.sources or [self.modules[name] for name in names]))

    def install_in_colab(self) -> None:
        """Install what is missing; Colab's kernel, widgets and libraries keep their versions."""
        import os
        import tempfile

        names = self.names()
        if any(not self.modules[name] for name in names):
            self.pip("--no-deps", *(self.wheels if self.wheels_are_here else self.sources))
        if requirements := [self.modules[name] for name in self.names() if self.modules[name]]:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "installed.txt")
                with open(path, "w") as file:
                    file.writelines(self.installed_versions())
                self.pip("--constraint", path, *requirements)

    def installed_versions(self) -> "list[str]":
        """Return a line ``name==version`` for each installed distribution."""
        import importlib.metadata

        versions: dict[str, str] = {}
        for each in importlib.metadata.distributions():  # The first of a name is the one in use.
            versions.setdefault(each.metadata["Name"] or "", each.version)
        return [f"{name}=={version}\n" for name, version in versions.items() if name]

    def pip(self, *arguments: str) -> None:
        """Run ``pip install``."""
        import subprocess
        import sys

        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-input", *arguments]
        try:
            process = subprocess.run(command, capture_output=True, text=True, errors="replace")
        except OSError as error:  # Python in a browser starts no other program.
            raise self.NotInstalledError(
                f"pip could not be started ({error}): open this notebook in a Jupyter that runs "
                "on a computer of its own, or in Colab."
            ) from None
        if process.returncode:
            raise self.NotInstalledError(self.reason(process.stderr))
        self.add_user_s_folder()

    def add_user_s_folder(self) -> None:
        """Let this kernel import what pip put into the user's own folder.

        It does so where the kernel's Python belongs to somebody else, and a kernel that started
        before the folder was there does not look into it.
        """
        import os
        import site
        import sys

        folder = site.getusersitepackages()
        if site.ENABLE_USER_SITE and os.path.isdir(folder) and folder not in sys.path:
            site.addsitedir(folder)

    def reason(self, said: str) -> str:
        """Return one sentence of what stopped pip, and of what to do."""
        import sys

        lines = said.strip().splitlines() or ["no reason given"]
        errors = [line for line in lines if line.lower().startswith("error")]
        if not errors or errors[0] == "ERROR: Exception:":  # a fault in pip itself
            errors = lines[-1:]
        names, low = ", ".join(self.names()), said.lower()
        if "no module named pip" in low:
            return (
                f"{names} must be installed, and this kernel's Python has no pip: run "
                f"{sys.executable} -m ensurepip, then run this cell again."
            )
        if any(sign in low for sign in self.MAY_NOT):
            return (
                f"pip may not install {names} into this kernel's Python ({errors[0]}): in a "
                f"terminal run {sys.executable} -m venv course, then "
                f"{self.command(['jupyterlab', *(self.asked())], 'course/bin/python')} "
                "(on Windows course\\Scripts\\python), and open this notebook with "
                "course/bin/jupyter lab."
            )
        if any(sign in low for sign in self.OFFLINE):
            return (
                f"pip could not reach the network, which it needs to install {names}: connect "
                "and run this cell again."
            )
        if self.in_colab and "conflict" in low:
            return (
                f"Colab's own packages stand in the way of {names} ({errors[0]}) and are left as "
                "they are: open this notebook in a Jupyter of your own."
            )
        return (
            f"pip could not install {names} ({errors[0]}): when that is fixed, run this cell again."
        )

    def asked(self) -> "list[str]":
        """Return pip's requirements for the course and all that this notebook needs."""
        return self.paths if self.wheels_are_here else self.sources or list(self.modules.values())

    def command(self, requirements: "list[str]", python: str = "") -> str:
        """Return the line for a terminal that has pip install ``requirements``."""
        import sys

        quoted = " ".join(f'"{each}"' for each in requirements)
        return f"{python or sys.executable} -m pip install {quoted}"
