"""What a notebook's first cell runs, where nothing of the course is installed yet."""


def install_what_is_missing(
    modules: dict[str, str], source: str = "", wheel: str = "", extras: str = ""
) -> None:
    """Let pip install the modules that cannot be imported, or say in one sentence what to do."""
    import importlib.metadata
    import importlib.util
    import os
    import subprocess
    import sys
    import tempfile

    class NotInstalledError(Exception):
        def _render_traceback_(self) -> list[str]:  # Jupyter shows the sentence alone
            return [str(self)]

    def missing() -> list[str]:
        importlib.invalidate_caches()
        return [name for name in modules if importlib.util.find_spec(name) is None]

    def pip(*arguments: str) -> None:
        command = [sys.executable, "-m", "pip", "install", "--quiet", *arguments]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["no reason given"]
            errors = [line for line in lines if line.lower().startswith("error")] or lines[-1:]
            raise NotInstalledError(
                f"pip could not install {', '.join(missing())} ({errors[0]}): "
                "when that is mended, run this cell again."
            )

    def pip_keeping_all_versions(*arguments: str) -> None:
        pins: dict[str, str] = {}
        for each in importlib.metadata.distributions():
            pins.setdefault(
                each.metadata["Name"] or "", each.version
            )  # the first is the one in use
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "installed.txt")
            with open(path, "w") as file:
                file.writelines(f"{name}=={version}\n" for name, version in pins.items() if name)
            pip("--constraint", path, *arguments)

    in_colab = "google.colab" in sys.modules
    beside = os.path.isfile(wheel)
    if absent := missing():
        ours = any(not modules[name] for name in absent)
        if ours and not (beside or source):
            raise NotInstalledError(
                f"This notebook needs the course's library: put {wheel}, which the course's site "
                "offers with the notebooks, beside this notebook and run this cell again, or run "
                f'python -m pip install "{wheel}[{extras}]" in the folder where the file is.'
            )
        print(f"Installing {', '.join(absent)} …", flush=True)
        if in_colab:  # its kernel, its widgets and its torch stay what they are
            if ours:
                pip("--no-deps", wheel if beside else source)
            if others := [modules[name] for name in missing() if modules[name]]:
                pip_keeping_all_versions(*others)
        elif beside:
            pip(f"{os.path.abspath(wheel)}[{extras}]")
        else:
            pip(*([source] if source else [modules[name] for name in absent]))
        if absent := missing():
            raise NotInstalledError(
                f"{', '.join(absent)} cannot be imported although pip ended without an error: "
                "restart the kernel and run this cell again."
            )
    if in_colab and "anywidget" in modules:
        from google.colab import output

        output.enable_custom_widget_manager()
