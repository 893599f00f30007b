"""The code of a notebook's first cell, which runs where the course may not be installed."""


class MissingModules:
    """The modules that a notebook imports and that cannot be imported here.

    The parameters are those of `coursekit.notebook.install.Install`.
    """

    class NotInstalledError(Exception):
        """One sentence that tells the reader what to do."""

        def _render_traceback_(self) -> list[str]:  # Jupyter shows this in place of a traceback.
            return [str(self)]

    def __init__(
        self, modules: dict[str, str], sources: list[str], wheels: list[str], extras: str
    ) -> None:
        import os
        import sys

        self.modules, self.sources, self.wheels = modules, sources, wheels
        # The extras are those of the course's own wheel, which is the first.
        suffix = f"[{extras}]" if extras else ""
        self.with_extras = [wheel + suffix for wheel in wheels[:1]] + wheels[1:]
        self.wheels_are_here = bool(wheels) and all(os.path.isfile(wheel) for wheel in wheels)
        self.in_colab = "google.colab" in sys.modules

    def install(self) -> None:
        """Have pip install them, or tell in one sentence what to do."""
        if names := self.names():
            self.refuse_without_source(names)
            print(f"Installing {', '.join(names)} …", flush=True)
            if self.in_colab:
                self.install_in_colab()
            else:
                self.install_with_extras(names)
            if names := self.names():
                raise self.NotInstalledError(
                    f"{', '.join(names)} cannot be imported although pip reported no error: "
                    "restart the kernel and run this cell again."
                )
        if self.in_colab and "anywidget" in self.modules:
            from google.colab import output

            output.enable_custom_widget_manager()

    def names(self) -> list[str]:
        """Return the names of the modules that are still missing."""
        import importlib
        import importlib.util

        importlib.invalidate_caches()
        return [name for name in self.modules if importlib.util.find_spec(name) is None]

    def refuse_without_source(self, names: list[str]) -> None:
        """Tell the reader how to get the course's library where pip cannot get it."""
        is_ours = any(not self.modules[name] for name in names)
        if is_ours and not (self.wheels_are_here or self.sources):
            quoted = " ".join(f'"{wheel}"' for wheel in self.with_extras)
            raise self.NotInstalledError(
                f"This notebook needs the course's library: put {' and '.join(self.wheels)}, which "
                "the course's site offers with the notebooks, beside this notebook and run this "
                f"cell again, or run python -m pip install {quoted} in the folder that has the "
                "library."
            )

    def install_with_extras(self, names: list[str]) -> None:
        """Install the course with its extras, or else what others provide."""
        import os

        if self.wheels_are_here:
            self.pip(*(os.path.abspath(wheel) for wheel in self.with_extras))
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

    def installed_versions(self) -> list[str]:
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

        command = [sys.executable, "-m", "pip", "install", "--quiet", *arguments]
        process = subprocess.run(command, capture_output=True, text=True)
        if process.returncode:
            lines = process.stderr.strip().splitlines() or ["no reason given"]
            errors = [line for line in lines if line.lower().startswith("error")] or lines[-1:]
            raise self.NotInstalledError(
                f"pip could not install {', '.join(self.names())} ({errors[0]}): "
                "when that is fixed, run this cell again."
            )
