"""The code of a notebook's first cell, which runs where the course may not be installed."""


class Installer:
    """Has pip install the modules that are missing, or tells in one sentence what to do.

    Its methods import what they need, so that no name is left behind in the notebook.
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
        self.beside = bool(wheels) and all(os.path.isfile(wheel) for wheel in wheels)
        self.in_colab = "google.colab" in sys.modules

    def run(self) -> None:
        """Install what is missing, and turn on Colab's support for widgets."""
        if absent := self.missing():
            is_ours = any(not self.modules[name] for name in absent)
            if is_ours and not (self.beside or self.sources):
                raise self.NotInstalledError(self.what_to_do())
            print(f"Installing {', '.join(absent)} …", flush=True)
            if self.in_colab:
                self.install_in_colab(is_ours)
            else:
                self.install(absent)
            if absent := self.missing():
                raise self.NotInstalledError(
                    f"{', '.join(absent)} cannot be imported although pip reported no error: "
                    "restart the kernel and run this cell again."
                )
        if self.in_colab and "anywidget" in self.modules:
            from google.colab import output

            output.enable_custom_widget_manager()

    def missing(self) -> list[str]:
        """Return the modules that cannot be imported."""
        import importlib.util

        importlib.invalidate_caches()
        return [name for name in self.modules if importlib.util.find_spec(name) is None]

    def what_to_do(self) -> str:
        """Return how to install the course where pip knows no address for it."""
        files = " ".join(f'"{wheel}"' for wheel in self.with_extras)
        return (
            f"This notebook needs the course's library: put {' and '.join(self.wheels)}, which "
            "the course's site offers with the notebooks, beside this notebook and run this cell "
            f"again, or run python -m pip install {files} in the folder where the library is."
        )

    def install(self, absent: list[str]) -> None:
        """Install the course with its extras, or else the other packages that are missing."""
        import os

        if self.beside:
            self.pip(*(os.path.abspath(wheel) for wheel in self.with_extras))
        else:
            self.pip(*(self.sources or [self.modules[name] for name in absent]))

    def install_in_colab(self, is_ours: bool) -> None:
        """Install what is missing without replacing anything of Colab's."""
        if is_ours:
            self.pip("--no-deps", *(self.wheels if self.beside else self.sources))
        if others := [self.modules[name] for name in self.missing() if self.modules[name]]:
            self.pip_keeping_all_versions(*others)

    def pip_keeping_all_versions(self, *arguments: str) -> None:
        """Run ``pip install`` with the installed versions as constraints."""
        import importlib.metadata
        import os
        import tempfile

        pins: dict[str, str] = {}
        for each in importlib.metadata.distributions():
            # The first is the one in use.
            pins.setdefault(each.metadata["Name"] or "", each.version)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "installed.txt")
            with open(path, "w") as file:
                file.writelines(f"{name}=={version}\n" for name, version in pins.items() if name)
            self.pip("--constraint", path, *arguments)

    def pip(self, *arguments: str) -> None:
        """Run ``pip install``, or raise its first error as one sentence."""
        import subprocess
        import sys

        command = [sys.executable, "-m", "pip", "install", "--quiet", *arguments]
        process = subprocess.run(command, capture_output=True, text=True)
        if process.returncode:
            lines = process.stderr.strip().splitlines() or ["no reason given"]
            errors = [line for line in lines if line.lower().startswith("error")] or lines[-1:]
            raise self.NotInstalledError(
                f"pip could not install {', '.join(self.missing())} ({errors[0]}): "
                "when that is fixed, run this cell again."
            )
