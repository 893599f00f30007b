"""Publish the built site: push it as the one commit of a branch that a host serves.

``python -m tools.site.deploy REMOTE`` replaces the branch. Its commit has no parent, so that years
of published sites do not make clones large; what the host itself put there (CNAME, the site's own
domain) stays. A site that is published already is not pushed again. It needs Python and git only.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.site.environment import BuildError
from tools.site.publication import Publication, stored

BRANCH = "gh-pages"
#: Files that the host's settings write into the branch, and no build knows.
KEPT = ("CNAME",)
#: What a hook of Git sets for the repository that it belongs to.
_ANOTHER_S = ("GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_NAMESPACE")
_GITHUB = re.compile(
    r"(?:https?://|ssh://|git://)?(?:[^@/]+@)?(?:www\.)?github\.com(?::\d+/|[:/])/?"
    r"([^/]+/[^/]+?)(?:\.git)?/?",
    re.IGNORECASE,
)


class _Git:
    """Git in a repository of its own, with the site as its files."""

    def __init__(self, folder: Path, site: Path) -> None:
        self._env = {name: it for name, it in os.environ.items() if name not in _ANOTHER_S}
        self._env |= {"GIT_DIR": str(folder), "GIT_WORK_TREE": str(site)}
        self._env["GIT_TERMINAL_PROMPT"] = "0"  # no one is there to type a password
        self._site = site
        self("init", "--quiet")

    def __call__(self, *words: str) -> str:
        """Run a command and return what it printed, or raise `BuildError` with what went wrong."""
        # The bytes that were built, whatever the settings of this machine say of line ends.
        command = ["git", "-c", "core.autocrlf=false", *words]
        done = subprocess.run(
            command, cwd=self._site, env=self._env, capture_output=True, text=True, check=False
        )
        if done.returncode:
            said = [line for line in done.stderr.splitlines() if line.strip()] or ["it failed"]
            why = next((line for line in said if line.startswith("fatal: ")), said[-1])
            raise BuildError(f"git {words[0]}: {why.strip()}")
        return done.stdout.strip()


def deploy(site: Path, remote: str, branch: str, message: str) -> bool:
    """Make ``branch`` of ``remote`` hold the site alone; return whether it was another one.

    Raises
    ------
    BuildError
        There is no finished site, the remote cannot be reached, its branch holds something else
        than a site, or somebody else has published meanwhile.
    """
    for name in ("index.html", ".nojekyll"):
        if not (site / name).is_file():
            raise BuildError(f"{site} has no {name}; expected a built site: run `make book`")
    with tempfile.TemporaryDirectory(prefix="site-") as scratch:
        git = _Git(Path(scratch, "git"), site)
        before = git("ls-remote", remote, f"refs/heads/{branch}").partition("\t")[0]
        git("add", "--all", "--force", ".")
        if before:
            git("fetch", "--quiet", "--depth", "1", remote, before)
            _expect_site(git, branch, before)
            _keep(git, site, before)
        tree = git("write-tree")
        if before and tree == git("rev-parse", f"{before}^{{tree}}"):
            return False
        commit = git("commit-tree", tree, "-m", message)
        # Only over the commit that was looked at: two runs at once do not undo one another.
        lease = f"--force-with-lease=refs/heads/{branch}:{before}"
        git("push", "--quiet", lease, remote, f"{commit}:refs/heads/{branch}")
    return True


def _expect_site(git: _Git, branch: str, before: str) -> None:
    """Refuse to replace sources: nothing of the branch would be left."""
    there = git("ls-tree", "--name-only", before).splitlines()
    if "index.html" not in there and set(there) - set(KEPT):
        raise BuildError(
            f"{branch} holds {there[0]} and no index.html; expected a branch for the site alone"
        )


def _keep(git: _Git, site: Path, before: str) -> None:
    """Take over what the host has put into the branch."""
    for name in KEPT:
        entry = git("ls-tree", before, "--", name)
        if entry and not (site / name).exists():
            mode, _, blob = entry.partition("\t")[0].split()
            git("update-index", "--add", "--cacheinfo", f"{mode},{blob},{name}")


def expect_own(made: Publication, remote: str) -> None:
    """Refuse a repository on GitHub that is not the one which the site's links lead to."""
    there, own = github_repository(remote), github_repository(made.repository)
    if there is None or (own is not None and own.lower() == there.lower()):
        return
    seen = made.repository or "no repository"
    raise BuildError(
        f"the site belongs to {seen}; expected https://github.com/{there}: set it as "
        "`repository: url:` in _config.yml, and build again"
    )


def github_repository(remote: str) -> str | None:
    """Return ``OWNER/NAME`` of an address on GitHub, by HTTPS or SSH; None for any other one."""
    found = _GITHUB.fullmatch(remote)
    return found[1] if found else None


def main() -> int:
    """Publish the built site of the course in the current folder (or ``--root``)."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.site.deploy",
        description="Push the built site as the one commit of a branch.",
        epilog="example: python -m tools.site.deploy https://github.com/OWNER/NAME",
    )
    parser.add_argument("remote", help="address of the repository, or a remote's name")
    parser.add_argument("--branch", default=BRANCH, help="the branch (default: %(default)s)")
    parser.add_argument(
        "--check",
        action="store_true",
        help="push nothing: would a site that is built now belong to the repository?",
    )
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="folder of the course")
    args = parser.parse_args()
    root = args.root.resolve()
    try:
        remote = _address(args.remote, root)
        if args.check:
            expect_own(_settings(root), remote)
            print(f"✓ a site that is built now can be pushed to {args.remote}")
            return 0
        made = stored(root / "_build")
        expect_own(made, remote)
        changed = deploy(root / "_build" / "html", remote, args.branch, made.message)
    except BuildError as error:
        print(f"✗ {error}", file=sys.stderr)
        return 1
    print(f"✓ {args.branch}: {made.message if changed else 'holds this site already'}")
    return 0


def _settings(root: Path) -> Publication:
    # What reads the settings is not there where a site is only pushed.
    from tools.site.project import Project
    from tools.site.publication import present

    return present(Project(root))


def _address(remote: str, root: Path) -> str:
    """Return a remote's address where its name was given, and a path from the course's folder.

    Git is at work elsewhere: with the site as its files.
    """
    shown = subprocess.run(
        ["git", "remote", "get-url", remote], cwd=root, capture_output=True, text=True, check=False
    )
    address = shown.stdout.strip() if shown.returncode == 0 else remote
    return str(root / address) if (root / address).exists() else address


if __name__ == "__main__":
    sys.exit(main())
