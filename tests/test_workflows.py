"""The workflows of the repository: valid, careful with rights, and their steps do what they say.

GitHub itself is not here: steps that talk to it run against a repository on this machine, and a
``gh`` that writes down what it was asked.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
WORKFLOWS: dict[str, Any] = {
    path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in FILES
}
#: As GitHub's machines have it: a package's program, in the release that is asked for.
PIPX = """\
#!/bin/sh
[ "$1 $2" = "run ghp-import==2.1.0" ] && shift 2 && exec {python} -m ghp_import "$@"
"""
#: Writes down what it was asked; ``gh api`` fails where it is to say something.
GH = """\
#!/bin/sh
printf '%s\\n' "$@" >> "$GH_LOG"
printf "$GH_SAYS"
if [ "$1" = api ] && [ -n "$GH_FAILS" ]; then
  echo "$GH_FAILS" >&2
  exit 1
fi
"""


def jobs() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield workflow, name and content of each job."""
    for file, workflow in WORKFLOWS.items():
        for name, job in workflow["jobs"].items():
            yield file, name, job


def scripts() -> list[Any]:
    """Return the shell step of every job that has one, named by its place."""
    return [
        pytest.param(step["run"], id=f"{file}-{name}-{step['name']}")
        for file, name, job in jobs()
        for step in job.get("steps", [])
        if "run" in step
    ]


def test_github_can_read_them() -> None:
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    done = subprocess.run(
        [*check, "vendor.github-workflows", *map(str, FILES)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_actions_are_pinned_to_commits(path: Path) -> None:
    # A tag can be moved to other code; a commit cannot. The comment says which release it is.
    used = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
    others = [use for use in used if not use.startswith("./.github/workflows/")]
    pattern = r"actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+"
    assert [use for use in others if not re.fullmatch(pattern, use)] == []


def test_only_what_publishes_may_write() -> None:
    may_write = {
        (file, name): job["permissions"] for file, name, job in jobs() if "permissions" in job
    }
    assert may_write == {
        ("publish.yml", "publish"): {"contents": "write", "pages": "write"},
        ("publish.yml", "release"): {"contents": "write"},
        ("still-runs.yml", "report"): {"issues": "write"},
    }
    assert [w["permissions"] for w in WORKFLOWS.values()] == [{"contents": "read"}] * len(FILES)


def test_nothing_is_published_before_all_checks() -> None:
    publish = WORKFLOWS["publish.yml"]["jobs"]
    assert publish["checks"]["uses"] == "./.github/workflows/ci.yml"
    assert (ROOT / publish["checks"]["uses"]).is_file()
    for name in ("publish", "release"):
        assert "checks" in publish[name]["needs"]
    assert publish["checks"]["with"] == {"verify": "${{ github.ref_type == 'tag' }}"}
    steps = {step.get("run"): step for step in WORKFLOWS["ci.yml"]["jobs"]["make"]["steps"]}
    assert "if" not in steps["make check"]
    assert "inputs.verify || github.event_name == 'schedule'" in steps["make verify"]["if"]


@pytest.mark.parametrize("script", scripts())
def test_a_step_is_bash_and_names_what_exists(script: str) -> None:
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)
    # What GitHub puts into a script as text could end a line of it: values come by variables.
    assert "${{" not in script
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"(?m)^([a-z]+):.*## ", makefile))
    assert set(re.findall(r"(?m)^\s*make ([a-z]+)", script)) - targets == set()
    for module in re.findall(r"-m (tools[\w.]+)", script):
        assert ROOT.joinpath(*module.split(".")).with_suffix(".py").is_file()
    for path in re.findall(r"\btests/[\w./]+", script):
        assert (ROOT / path).exists()


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """Return a fresh checkout with a small site, and programs that GitHub's machines have."""
    folder = tmp_path / "checkout"
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    site = folder / "_build" / "html"
    site.mkdir(parents=True)
    (site / "index.html").write_text("<h1>Hello</h1>")
    (tmp_path / "bin").mkdir()
    for name, text in (("gh", GH), ("pipx", PIPX.format(python=sys.executable))):
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    return folder


def run_step(folder: Path, file: str, job: str, **values: str) -> tuple[list[str], str]:
    """Run the one script of a job as GitHub does; return what ``gh`` was asked, and the output."""
    (step,) = (s for s in WORKFLOWS[file]["jobs"][job]["steps"] if "run" in s)
    known = {name: v for name, v in step.get("env", {}).items() if "${{" not in v}
    log = folder.parent / "gh.log"
    log.unlink(missing_ok=True)
    path = os.pathsep.join([str(folder.parent / "bin"), "/usr/bin", "/bin", os.environ["PATH"]])
    env = {"PATH": path, "HOME": str(folder.parent), "GH_LOG": str(log), "GH_SAYS": ""}
    env["GH_FAILS"] = ""
    assert set(step.get("env", {})) <= {*known, *values, "GH_TOKEN", "GH_REPO"}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env=env | known | values,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    asked = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return asked, done.stdout


def git(folder: Path, *words: str, given: str = "") -> str:
    return subprocess.run(
        ["git", "-C", str(folder), *words], input=given, capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture
def place(tmp_path: Path) -> dict[str, str]:
    """Return what GitHub tells a run of the newest commit of ``main``, in a repository here."""
    remote = tmp_path / "owner" / "name"
    subprocess.run(["git", "init", "--quiet", "--bare", str(remote)], check=True)
    tree = git(remote, "mktree").strip()
    newest = git(remote, *SOMEBODY, "commit-tree", tree, "-m", "sources").strip()
    git(remote, "update-ref", "refs/heads/main", newest)
    about = {"SERVER_URL": f"file://{tmp_path}", "REPOSITORY": "owner/name"}
    about |= {"REF": "refs/heads/main", "SHA": newest}
    return {f"GITHUB_{name}": value for name, value in about.items()}


SOMEBODY = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
ASKED = ["auth", "setup-git", "api", "--silent", "--method", "POST"]
ASKED += ["repos/owner/name/pages/builds"]


def test_the_site_is_pushed_as_one_commit_and_a_build_requested(
    fresh: Path, tmp_path: Path, place: dict[str, str]
) -> None:
    asked, said = run_step(fresh, "publish.yml", "publish", **place)
    assert asked == ASKED
    assert "::" not in said
    message = f"github-actions[bot]: Site of {place['GITHUB_SHA']}"
    assert published(tmp_path) == [message, "", ".nojekyll", "index.html", ""]


def test_a_domain_that_the_host_wrote_stays(
    fresh: Path, tmp_path: Path, place: dict[str, str]
) -> None:
    remote = tmp_path / "owner/name"
    domain = git(remote, "hash-object", "-w", "--stdin", given="course.example.org\n").strip()
    tree = git(remote, "mktree", given=f"100644 blob {domain}\tCNAME\n").strip()
    commit = git(remote, *SOMEBODY, "commit-tree", tree, "-m", "Create CNAME").strip()
    git(remote, "update-ref", "refs/heads/gh-pages", commit)
    run_step(fresh, "publish.yml", "publish", **place)
    assert published(tmp_path)[2:] == [".nojekyll", "CNAME", "index.html", ""]
    assert git(remote, "show", "gh-pages:CNAME").strip() == "course.example.org"


def published(tmp_path: Path) -> list[str]:
    """Return who committed what to the branch of the site, and its files."""
    log = ("log", "--format=%cn: %s", "--name-only", "gh-pages")
    return git(tmp_path / "owner/name", *log).split("\n")


@pytest.mark.parametrize(
    ("fails", "warning"),
    [
        ("gh: Not Found (HTTP 404)", "choose gh-pages in Settings, Pages, Deploy from a branch"),
        ("gh: Oh (HTTP 500)", "GitHub Pages took no request to build it: gh: Oh (HTTP 500)"),
    ],
)
def test_a_site_that_is_not_served_is_a_warning(
    fresh: Path, place: dict[str, str], fails: str, warning: str
) -> None:
    asked, said = run_step(fresh, "publish.yml", "publish", GH_FAILS=fails, **place)
    assert asked == ASKED
    (line,) = (line for line in said.splitlines() if line.startswith("::"))
    assert line.startswith("::warning::gh-pages has the site, but ")
    assert warning in line


def test_an_old_run_that_is_run_again_publishes_nothing(
    fresh: Path, tmp_path: Path, place: dict[str, str]
) -> None:
    asked, said = run_step(fresh, "publish.yml", "publish", **place | {"GITHUB_SHA": "0" * 40})
    assert asked == ["auth", "setup-git"]
    assert said.startswith("::notice::Nothing is published: refs/heads/main is at ")
    assert "gh-pages" not in git(tmp_path / "owner/name", "branch")


def test_what_is_pushed_is_what_was_built() -> None:
    jobs_of = WORKFLOWS["publish.yml"]["jobs"]
    build, publish = (jobs_of[name]["steps"] for name in ("build", "publish"))
    (up,) = (s["with"] for s in build if s.get("with", {}).get("name") == "site")
    (down,) = (s["with"] for s in publish if s.get("with", {}).get("name") == "site")
    assert up["path"] == down["path"] == "_build/html"


def test_a_release_carries_the_files_and_the_notes(fresh: Path) -> None:
    files = fresh / "_build" / "release" / "files"
    files.mkdir(parents=True)
    for name in ("course.whl", "site.zip"):
        (files / name).touch()
    asked, _ = run_step(fresh, "publish.yml", "release", TAG="v1.2.3")
    assert asked[:3] == ["release", "create", "v1.2.3"]
    assert "--verify-tag" in asked
    assert "_build/release/notes.md" in asked
    assert asked[-2:] == ["_build/release/files/course.whl", "_build/release/files/site.zip"]


@pytest.mark.parametrize(("open_issue", "does"), [("", "create"), ("12", "comment")])
def test_a_failure_opens_one_issue(fresh: Path, open_issue: str, does: str) -> None:
    address = "https://example.org/run/1"
    asked, _ = run_step(fresh, "still-runs.yml", "report", RUN=address, GH_SAYS=open_issue)
    assert asked[:2] == ["issue", "list"]
    assert does in asked
    assert any(address in word for word in asked)
