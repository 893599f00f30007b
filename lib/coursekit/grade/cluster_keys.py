"""``coursekit cluster-keys``: the keys with which a dask cluster grades over encrypted connections.

Scheduler, workers and coordinator all present the same certificate, the only one that the folder's
authority has ever signed, and accept no other. Anyone who holds the folder can run code on every
worker; nobody else can connect or read along.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

from coursekit.command import Subparsers, add_command, make_folder
from coursekit.errors import CoursekitError, MissingExtraError

_FILES = {"ca": "ca.pem", "cert": "cert.pem", "key": "key.pem"}
_CONFIG = "dask.yaml"
_DAYS = 365


def add_parser(subparsers: Subparsers) -> None:
    """Add the command ``cluster-keys``."""
    parser = add_command(
        subparsers,
        "cluster-keys",
        run,
        """
        Make the keys with which a dask cluster grades over encrypted connections (TLS), and
        print the commands that start the scheduler and its workers. Anyone who holds the folder
        can run code on every worker; nobody else can connect to the cluster or read along.
        """,
        "coursekit cluster-keys keys",
    )
    parser.add_argument(
        "folder", metavar="FOLDER", type=Path, help="a new folder; keys are never overwritten"
    )


def run(args: argparse.Namespace) -> int:
    """Make the keys and print how to use them."""
    until = make_keys(args.folder)
    print(_how_to_use(args.folder.resolve(), until))
    return 0


def make_keys(folder: Path, days: int = _DAYS) -> datetime:
    """Make a folder of keys that only its owner can read, and return when they expire.

    Parameters
    ----------
    folder : Path
        A folder that does not exist yet, or is empty.
    days : int
        How many days the keys are valid.

    Raises
    ------
    CoursekitError
        There is something at ``folder`` already.
    """
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(days=days)
    pem = _certificates().new_certificate(until)
    contents = {name: getattr(pem, field) for field, name in _FILES.items()}
    contents[_CONFIG] = _dask_config(folder.resolve())
    make_folder(folder.parent)
    draft = Path(tempfile.mkdtemp(prefix=".coursekit-keys-", dir=folder.parent))  # its mode: 0700
    try:
        for name, content in contents.items():
            draft.joinpath(name).touch(mode=0o600)
            draft.joinpath(name).write_bytes(content)
        os.rename(draft, folder)  # fails if there is anything but an empty folder
    except OSError:
        if not os.path.lexists(folder):
            raise
        raise CoursekitError(
            f"{folder}: exists already, and keys are never overwritten; expected a new folder"
        ) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return until


def read_keys(folder: Path) -> Any:
    """Return a client's ``distributed.security.Security`` with a folder's keys.

    Raises
    ------
    CoursekitError
        A file is missing or damaged, the files do not belong together, or they have expired.
    """
    certificates = _certificates()
    paths = {field: folder / name for field, name in _FILES.items()}
    try:
        pem = certificates.Pem(**{field: path.read_bytes() for field, path in paths.items()})
    except (FileNotFoundError, NotADirectoryError) as error:
        raise CoursekitError(
            f"{error.filename}: not found; expected a folder made by: coursekit cluster-keys FOLDER"
        ) from None
    field, reason = certificates.fault(pem)
    if field:
        raise CoursekitError(
            f"{paths[field]}: {reason}; make new keys for the whole cluster: "
            "coursekit cluster-keys NEW_FOLDER"
        )
    from distributed.security import Security

    return Security(
        require_encryption=True,
        tls_ca_file=str(paths["ca"]),
        tls_client_cert=str(paths["cert"]),
        tls_client_key=str(paths["key"]),
    )


def _certificates() -> ModuleType:
    try:
        from coursekit.grade import certificates
    except ImportError as error:
        raise MissingExtraError((error.name or "").partition(".")[0], "cluster") from None
    return certificates


def _dask_config(folder: Path) -> bytes:
    """Return a configuration with which dask encrypts everything, whatever its role."""
    try:
        import yaml
    except ImportError:
        raise MissingExtraError("yaml", "cluster") from None
    files = {"cert": str(folder / _FILES["cert"]), "key": str(folder / _FILES["key"])}
    roles = {role: dict(files) for role in ("scheduler", "worker", "client")}
    tls = {"ca-file": str(folder / _FILES["ca"]), **roles}
    comm = {"require-encryption": True, "default-scheme": "tls", "tls": tls}
    return bytes(yaml.safe_dump({"distributed": {"comm": comm}}, encoding="utf-8"))


def _how_to_use(folder: Path, until: datetime) -> str:
    shown = shlex.quote(str(folder))
    tls = " ".join(
        f"--tls-{option} {shlex.quote(str(folder / _FILES[field]))}"
        for option, field in (("ca-file", "ca"), ("cert", "cert"), ("key", "key"))
    )
    # dask's dashboard is neither encrypted nor protected: only this machine may reach it.
    pages = "--no-dashboard --dashboard-address 127.0.0.1:0"
    return f"""\
{folder}: keys, valid until {until:%Y-%m-%d}. Anyone who holds them can run code on every worker.
Copy the folder to every machine, under the same name:
  scp -rp {shown} HOST:{shlex.quote(str(folder.parent))}
Start the scheduler on one, and workers on all that grade:
  dask scheduler --protocol tls {tls} {pages}
  dask worker tls://HOST:8786 --nworkers=-1 --nthreads 1 {tls} {pages}
Grade:
  coursekit grade CHAPTER SUBMITTED_DIR --results FILE.jsonl --dask tls://HOST:8786 \
--dask-keys {shown}
Other dask programs use the keys where DASK_CONFIG={shown} is set."""
