"""Where a notebook installs the course from: one setting, the repository's address."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlparse

from coursekit.errors import DISTRIBUTION, CoursekitError, MissingExtraError


def install_source(root: Path | str) -> str | None:
    """Return what pip installs: the wheel on the published site of ``root``'s repository.

    The wheel, because the repository itself has no bundled front end. The address follows from
    ``repository: url`` in ``_config.yml``; without that setting there is nowhere to install from,
    and None is returned.
    """
    settings = Path(root) / "_config.yml"
    if not settings.is_file():
        return None
    try:
        import yaml
    except ImportError:
        raise MissingExtraError("PyYAML", "grading") from None
    read = yaml.safe_load(settings.read_text(encoding="utf-8")) or {}
    url = str((read.get("repository") or {}).get("url") or "")
    return f"{DISTRIBUTION}[notebook] @ {_wheel(url, settings)}" if url else None


def _wheel(url: str, settings: Path) -> str:
    parts = urlparse(url).path.strip("/").removesuffix(".git").split("/")
    if len(parts) != 2 or not all(parts):
        raise CoursekitError(
            f"{settings}: repository url is {url!r}; expected https://github.com/OWNER/NAME"
        )
    owner, name = parts
    file = f"{DISTRIBUTION.replace('-', '_')}-{version(DISTRIBUTION)}-py3-none-any.whl"
    return f"https://{owner.lower()}.github.io/{name}/notebooks/{file}"
