"""Where things are: the folders and settings that every step of the build shares."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

import coursekit
from coursekit.notebook.install import address_of
from tools.site import settings
from tools.site.environment import ROOT, BuildError
from tools.site.packages import Packages

TOOLS = Path(__file__).parent
COURSEKIT = Path(coursekit.__file__).parent


@dataclass(frozen=True)
class Project:
    """One course: its sources below ``root`` and what is made of them below ``root/_build``."""

    root: Path

    @property
    def build(self) -> Path:
        """All that is made: safe to delete."""
        return self.root / "_build"

    @property
    def book(self) -> Path:
        """The chapters."""
        return self.root / "book"

    @property
    def assets(self) -> Path:
        """Bundled front end, as the pages load it."""
        return self.build / "assets"

    @property
    def stage(self) -> Path:
        """What Jupyter Book wrote; :mod:`tools.site.publish` makes the site of it."""
        return self.build / "stage" / "_build" / "html"

    @property
    def html(self) -> Path:
        """The site."""
        return self.build / "html"

    @property
    def cache(self) -> Path:
        """What takes long to make again: outputs of cells, formulas, fonts, NumPy for the page."""
        return self.build / "cache"

    @property
    def node_modules(self) -> Path:
        """The front end's packages: those of the course, or else those that these tools use."""
        own = self.root / "node_modules"
        return own if own.exists() else ROOT / "node_modules"

    @property
    def lib(self) -> Path:
        """The course's packages."""
        return self.root / "lib"

    @cached_property
    def packages(self) -> Packages:
        """The course's packages and coursekit."""
        own = Packages.below(self.lib)
        return Packages({"coursekit": COURSEKIT} | {name: own[name] for name in own})

    @cached_property
    def settings(self) -> settings.Settings:
        """What ``pyproject.toml`` says of the course."""
        return settings.read(self.root)

    def config(self) -> dict[str, Any]:
        """Return ``_config.yml``."""
        return dict(read_yaml(self.root / "_config.yml"))

    def repository(self) -> str:
        """Return the address of the course's repository; "" where it is not published."""
        return str((self.config().get("repository") or {}).get("url") or "")

    def address(self) -> str:
        """Return the address of the course's site, with a slash at its end; "" for none."""
        return address_of(self.config())

    def chapters(self) -> list[Path]:
        """Return the chapters of ``_toc.yml`` in order."""
        paths = [self.book / f"{name}.md" for name in _names(read_yaml(self.root / "_toc.yml"))]
        for path in paths:
            if not path.exists():
                raise BuildError(f"_toc.yml names {path.stem}, but {path} does not exist")
        return paths

    def is_notebook(self, chapter: Path) -> bool:
        """Whether a chapter has cells to execute: its front matter names a kernel."""
        head = chapter.read_text(encoding="utf-8")[:2000].split("\n---", 1)[0]
        return "kernelspec:" in head


def read_yaml(path: Path) -> dict[str, Any]:
    """Return the settings in a file; a fault in it is reported in one line."""
    try:
        read = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BuildError(f"{path.name}: cannot be read ({error})") from None
    except yaml.YAMLError as error:
        raise BuildError(f"{path.name}: {' '.join(str(error).split())}") from None
    if not isinstance(read, dict):
        raise BuildError(f"{path.name}: expected names with settings, as in `title: …`")
    return read


def _names(toc: Any) -> list[str]:
    """Return the files that a table of contents names, depth first."""
    if isinstance(toc, list):
        return [name for entry in toc for name in _names(entry)]
    own = [toc[key] for key in ("root", "file") if key in toc]
    below = [toc[key] for key in ("parts", "chapters", "sections", "entries") if key in toc]
    return own + [name for entries in below for name in _names(entries)]


def fingerprint(files: Iterable[Path], *more: str) -> str:
    """Return one hash of the names and contents of ``files`` and of the strings ``more``."""
    digest = hashlib.sha256("\0".join(more).encode())
    for path in sorted(files):
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def sources(folder: Path, *suffixes: str) -> list[Path]:
    """Return the source files below ``folder``: no caches, nothing generated."""
    return [
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not {"__pycache__", "_dist", ".ipynb_checkpoints"} & set(path.parts)
        and (not suffixes or path.suffix in suffixes)
    ]


def copy_if_changed(source: Path, target: Path) -> None:
    """Copy a file with its time, unless size and time say that ``target`` is the same already."""
    new, old = source.stat(), target.stat() if target.exists() else None
    if old is None or (new.st_size, int(new.st_mtime)) != (old.st_size, int(old.st_mtime)):
        shutil.copy2(source, target)
