"""``coursekit cluster-keys``: what it makes, what it never does, and wrong keys."""

from __future__ import annotations

import shutil
from pathlib import Path

import dask
import pytest
from distributed.security import Security

from coursekit.cli import main
from coursekit.errors import CoursekitError
from coursekit.grade.cluster_keys import make_keys, read_keys


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """Return a folder of keys."""
    make_keys(tmp_path / "keys")
    return tmp_path / "keys"


@pytest.fixture
def others(tmp_path: Path) -> Path:
    """Return the keys of another cluster."""
    make_keys(tmp_path / "others")
    return tmp_path / "others"


def test_only_the_owner_reads_them(keys):
    assert keys.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in keys.iterdir()} == dict.fromkeys(
        ["ca.pem", "cert.pem", "key.pem", "dask.yaml"], 0o600
    )
    assert list(keys.parent.iterdir()) == [keys]


def test_the_authority_signs_nothing_else(keys):
    # Only the certificate's private key: with the authority's, others could get in later.
    private = [p.name for p in keys.iterdir() if b"PRIVATE KEY" in p.read_bytes()]
    assert private == ["key.pem"]
    read_keys(keys)


def test_a_second_run_leaves_the_first_keys(keys, capsys):
    before = {path: path.read_bytes() for path in keys.iterdir()}
    assert main(["cluster-keys", str(keys)]) == 2
    err = capsys.readouterr().err
    assert "never overwritten" in err
    assert err.count("\n") == 1
    assert {path: path.read_bytes() for path in keys.iterdir()} == before
    assert list(keys.parent.iterdir()) == [keys]


@pytest.mark.parametrize("way", ["is a file", "has a file"])
def test_nothing_else_is_overwritten_either(tmp_path, capsys, way):
    folder = tmp_path / "keys"
    if way == "has a file":
        folder.mkdir()
    mine = folder if way == "is a file" else folder / "notes.txt"
    mine.write_text("mine")
    assert main(["cluster-keys", str(folder)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert mine.read_text() == "mine"


def test_an_empty_folder_becomes_private(tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / "keys").mkdir(mode=0o755)
    make_keys(tmp_path / "keys")
    assert (tmp_path / "keys").stat().st_mode & 0o777 == 0o700


def test_dask_reads_its_configuration(keys):
    read = dask.config.collect(paths=[str(keys)], env={})
    with dask.config.set(dask.config.merge(dask.config.config, read)):
        security = Security()
    assert security.require_encryption is True
    for role in ("scheduler", "worker", "client"):
        assert security.get_listen_args(role)["ssl_context"] is not None


def _damage(keys: Path, others: Path, fault: str) -> None:
    match fault:
        case "missing folder":
            shutil.rmtree(keys)
        case "missing key":
            (keys / "key.pem").unlink()
        case "other key":
            shutil.copy(others / "key.pem", keys)
        case "other authority":
            shutil.copy(others / "ca.pem", keys)
        case "no certificate":
            (keys / "cert.pem").write_text("-----BEGIN CERTIFICATE-----\n")
        case "no key":
            (keys / "key.pem").write_bytes(b"\x00")
        case "expired":
            shutil.rmtree(keys)
            make_keys(keys, days=-1)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("missing folder", "ca.pem: not found"),
        ("missing key", "key.pem: not found"),
        ("other key", "key.pem: does not belong"),
        ("other authority", "cert.pem: was not signed"),
        ("no certificate", "cert.pem: is not a certificate"),
        ("no key", "key.pem: is not a private key"),
        ("expired", "cert.pem: is valid from"),
    ],
)
def test_wrong_keys_are_one_line(keys, others, fault, message):
    _damage(keys, others, fault)
    with pytest.raises(CoursekitError, match=message) as raised:
        read_keys(keys)
    assert "coursekit cluster-keys" in str(raised.value)
    assert "\n" not in str(raised.value)
