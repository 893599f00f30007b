"""Publishing a site: a branch with one commit, in a repository on this machine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.site.build import build
from tools.site.deploy import BRANCH, deploy, expect_own, github_repository
from tools.site.environment import BuildError
from tools.site.project import Project
from tools.site.publication import Publication, commit_of, forget, record, stored

ROOT = Path(__file__).resolve().parents[2]


def git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(folder), *words], capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture(autouse=True)
def somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "somebody")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "somebody@example.org")


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    folder = tmp_path / "remote.git"
    subprocess.run(["git", "init", "--quiet", "--bare", str(folder)], check=True)
    return folder


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "html"
    (folder / "_static").mkdir(parents=True)
    (folder / "index.html").write_bytes(b"one\r\ntwo\n")
    (folder / "_static" / "kept.log").write_text("a name that git may be told to ignore")
    (folder / ".gitignore").write_text("*.log\n")
    (folder / ".nojekyll").touch()
    return folder


def files(remote: Path) -> list[str]:
    return git(remote, "ls-tree", "-r", "--name-only", BRANCH).splitlines()


def test_the_branch_holds_the_site_byte_for_byte(site: Path, remote: Path) -> None:
    assert deploy(site, str(remote), BRANCH, "first")
    assert files(remote) == [".gitignore", ".nojekyll", "_static/kept.log", "index.html"]
    shown = subprocess.run(
        ["git", "-C", str(remote), "cat-file", "blob", f"{BRANCH}:index.html"],
        capture_output=True,
        check=True,
    )
    assert shown.stdout == b"one\r\ntwo\n"


def test_it_is_replaced_and_its_history_does_not_grow(site: Path, remote: Path) -> None:
    deploy(site, str(remote), BRANCH, "first")
    (site / "index.html").write_text("new")
    (site / "_static" / "kept.log").unlink()
    assert deploy(site, str(remote), BRANCH, "second")
    assert git(remote, "log", "--format=%s", BRANCH) == "second"
    assert files(remote) == [".gitignore", ".nojekyll", "index.html"]


def test_the_same_site_is_not_pushed_again(site: Path, remote: Path) -> None:
    deploy(site, str(remote), BRANCH, "first")
    before = git(remote, "rev-parse", BRANCH)
    assert not deploy(site, str(remote), BRANCH, "again")
    assert git(remote, "rev-parse", BRANCH) == before


def test_the_hosts_own_domain_stays(site: Path, remote: Path) -> None:
    (site / "CNAME").write_text("course.example.org\n")  # as the host's settings write it
    deploy(site, str(remote), BRANCH, "with a domain")
    (site / "CNAME").unlink()
    assert not deploy(site, str(remote), BRANCH, "nothing else has changed")
    (site / "index.html").write_text("new")
    assert deploy(site, str(remote), BRANCH, "without a domain of its own")
    assert git(remote, "show", f"{BRANCH}:CNAME") == "course.example.org"
    assert not (site / "CNAME").exists()


def test_other_branches_stay(site: Path, remote: Path, tmp_path: Path) -> None:
    deploy(site, str(remote), "main", "as if it were sources")
    deploy(site, str(remote), BRANCH, "the site")
    assert git(remote, "log", "--format=%s", "main") == "as if it were sources"


def test_a_site_published_meanwhile_is_not_undone(
    site: Path, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tools.site import deploy as module

    deploy(site, str(remote), BRANCH, "first")
    (site / "index.html").write_text("mine")
    keep = module._keep

    def meanwhile(*arguments: object) -> None:
        keep(*arguments)
        monkeypatch.setattr(module, "_keep", keep)
        other = site.parent / "other"
        other.mkdir()
        for name in ("index.html", ".nojekyll"):
            (other / name).write_text("theirs")
        deploy(other, str(remote), BRANCH, "theirs")

    monkeypatch.setattr(module, "_keep", meanwhile)
    with pytest.raises(BuildError, match="git push: "):
        deploy(site, str(remote), BRANCH, "mine")
    assert git(remote, "log", "--format=%s", BRANCH) == "theirs"


@pytest.mark.parametrize("missing", ["index.html", ".nojekyll"])
def test_what_is_not_a_site_is_not_pushed(site: Path, remote: Path, missing: str) -> None:
    (site / missing).unlink()
    with pytest.raises(BuildError, match="expected a built site: run `make book`"):
        deploy(site, str(remote), BRANCH, "half a site")


@pytest.fixture
def course(tmp_path: Path, site: Path) -> Project:
    """Return a course in a repository of its own, whose site has been built."""
    made = Project(tmp_path / "walks")
    made.build.mkdir(parents=True)
    site.rename(made.html)
    (made.root / "pyproject.toml").write_text(
        '[project]\nname = "walks"\nversion = "2.0"\n'
        "[project.entry-points.coursekit]\n[tool.coursekit]\npage-packages = []\n"
    )
    set_address(made, "https://github.com/Ada/walks")
    (made.root / ".gitignore").write_text("_build\n")
    subprocess.run(["git", "init", "--quiet", str(made.root)], check=True)
    git(made.root, "add", ".")
    git(made.root, "commit", "--quiet", "--message", "one")
    record(made)
    return made


def set_address(course: Project, url: str) -> None:
    (course.root / "_config.yml").write_text(f"repository: {{url: '{url}'}}\n")


def run(course: Project, remote: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.site.deploy", remote, "--root", str(course.root)]
    return subprocess.run(
        [*command, *options], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_a_repository_that_is_not_there_is_one_line(course: Project, tmp_path: Path) -> None:
    done = run(course, str(tmp_path / "nowhere"))
    assert done.returncode == 1
    assert done.stderr.startswith("✗ git ls-remote: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_remote_is_a_path_from_the_course_s_folder_or_a_name(
    course: Project, remote: Path
) -> None:
    assert run(course, "../remote.git").returncode == 0
    git(course.root, "remote", "add", "origin", "../remote.git")
    assert run(course, "origin").stdout == f"✓ {BRANCH}: holds this site already\n"


def test_the_message_says_what_was_built_and_not_what_is_there_now(
    course: Project, remote: Path
) -> None:
    commit = git(course.root, "rev-parse", "--short", "HEAD")
    file = course.root / "pyproject.toml"
    file.write_text(file.read_text().replace("2.0", "3.0"))
    git(course.root, "commit", "--quiet", "--all", "--message", "two")
    assert run(course, str(remote)).returncode == 0
    message = f"Site of walks 2.0, built from {commit}"
    assert git(remote, "log", "--format=%s", BRANCH) == message


def test_uncommitted_changes_are_said(course: Project, tmp_path: Path) -> None:
    assert commit_of(course.root) == git(course.root, "rev-parse", "--short", "HEAD")
    with (course.root / "pyproject.toml").open("a") as file:
        file.write("# changed\n")
    record(course)
    assert stored(course.build).message.endswith("-dirty")
    assert Publication("walks", "1", commit_of(tmp_path), "").message == "Site of walks 1"


@pytest.mark.parametrize("content", [None, "", "[]", '{"version": "1"}'])
def test_a_site_of_an_unfinished_build_is_not_pushed(
    course: Project, remote: Path, content: str | None
) -> None:
    forget(course)
    if content is not None:
        (course.build / "publication.json").write_text(content)
    done = run(course, str(remote))
    assert done.returncode == 1
    assert "has no publication.json of a finished build; expected a built site" in done.stderr
    assert git(remote, "branch") == ""


@pytest.mark.parametrize(
    "remote",
    [
        "https://github.com/Ada/walks",
        "https://github.com/ada/Walks.git/",
        "https://token:secret@github.com/Ada/walks.git",
        "git@github.com:Ada/walks.git",
        "ssh://git@github.com/Ada/walks",
        "ssh://git@github.com:22/Ada/walks",
        "github.com:Ada/walks",
        "https://example.org/Eve/walks",
        "../remote.git",
    ],
)
def test_its_own_repository_and_other_hosts_are_taken(remote: str) -> None:
    expect_own(Publication("walks", "1", "", "https://github.com/Ada/walks"), remote)


@pytest.mark.parametrize("built_with", ["https://github.com/Ada/walks", ""])
def test_a_site_of_another_repository_is_not_pushed(course: Project, built_with: str) -> None:
    set_address(course, built_with)
    record(course)
    done = run(course, "git@github.com:Eve/walks.git")
    seen = built_with or "no repository"
    assert done.stderr == (
        f"✗ the site belongs to {seen}; expected https://github.com/Eve/walks: set it as "
        "`repository: url:` in _config.yml, and build again\n"
    )
    assert done.returncode == 1


def test_a_site_that_is_being_changed_is_not_pushed(
    course: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So is that of a preview: its last step, the list for reading offline, is missing.
    monkeypatch.setenv("PYTHONPATH", "")
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert stored(course.build)
    with pytest.raises(BuildError, match=r"_toc\.yml: cannot be read"):
        build(course)
    with pytest.raises(BuildError, match="of a finished build"):
        stored(course.build)


def test_the_address_can_be_checked_before_a_build(course: Project) -> None:
    forget(course)
    shutil.rmtree(course.html)
    own = "https://github.com/Ada/walks"
    assert run(course, own, "--check").stdout == (
        f"✓ a site that is built now can be pushed to {own}\n"
    )
    set_address(course, "")
    done = run(course, own, "--check")
    assert done.returncode == 1
    assert f"✗ the site belongs to no repository; expected {own}: set it as" in done.stderr


@pytest.mark.parametrize("remote", ["https://github.com/Ada", "https://notgithub.com/a/b", "a/b"])
def test_only_repositories_on_github_are_compared(remote: str) -> None:
    assert github_repository(remote) is None


def test_a_branch_of_sources_is_not_replaced(site: Path, remote: Path, tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    subprocess.run(["git", "clone", "--quiet", str(remote), str(sources)], check=True)
    (sources / "pyproject.toml").touch()
    git(sources, "add", ".")
    git(sources, "commit", "--quiet", "--message", "a year's work")
    git(sources, "push", "--quiet", "origin", "HEAD:main")
    with pytest.raises(BuildError, match=r"main holds pyproject\.toml and no index\.html"):
        deploy(site, str(remote), "main", "the site")
    assert git(remote, "log", "--format=%s", "main") == "a year's work"


def test_a_hook_s_index_stays_as_it_is(
    site: Path, remote: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    deploy(site, str(remote), BRANCH, "from a hook")
    assert not (tmp_path / "index").exists()


def test_what_went_wrong_is_said(site: Path, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="does not appear to be a git repository"):
        deploy(site, str(tmp_path / "nowhere"), BRANCH, "the site")
