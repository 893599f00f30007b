"""A chapter runs again when anything that its outputs depend on has changed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils import nodes

from attnlab import experiments
from tools.site.dependencies import files_behind
from tools.site.project import COURSEKIT, TOOLS, Project
from tools.site.theme import _titles_changed, behind_all_pages

BOOK = Project(Path(__file__).resolve().parents[2])
EXPERIMENTS = BOOK.root / "lib" / "attnlab" / "experiments"


@pytest.mark.parametrize("page", ["evidence", "evidence-in-use"])
def test_a_page_of_evidence_depends_on_every_experiment_and_its_result(page: str) -> None:
    """Experiments are discovered by name, which no import statement shows."""
    files = [
        name for each in experiments.names() for name in (f"{each}.py", f"results/{each}.json")
    ]
    behind = files_behind(BOOK, BOOK.book / f"{page}.md")
    assert {EXPERIMENTS / name for name in files} - {*behind} == set()


def test_a_chapter_depends_on_the_figure_that_it_asks_for_by_name(tmp_path: Path) -> None:
    package = tmp_path / "lib" / "pack"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "registry.py").write_text("import importlib\nimportlib.import_module('pack.' + 'a')")
    (package / "a.py").write_text("")
    chapter = tmp_path / "one.md"
    chapter.write_text("```{code-cell} ipython3\nfrom pack import registry\n```\n")
    assert package / "a.py" in files_behind(Project(tmp_path), chapter)


def test_all_pages_are_made_anew_with_their_order_the_settings_and_code_of_extensions() -> None:
    wanted = {BOOK.root / "_toc.yml", BOOK.root / "pyproject.toml"}
    wanted |= {COURSEKIT / "page" / "directive.py", COURSEKIT / "marked.py", TOOLS / "theme.py"}
    assert wanted - {*behind_all_pages(BOOK)} == set()


def test_a_new_title_has_all_pages_written_again() -> None:
    env = SimpleNamespace(titles={"one": nodes.title(text="One")}, found_docs={"one", "two"})
    assert [_titles_changed(None, env) for _ in range(2)] == [{"one", "two"}, ()]
    env.titles["one"] = nodes.title(text="First")
    assert _titles_changed(None, env) == {"one", "two"}
