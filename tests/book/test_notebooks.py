"""Chapters as notebooks: what the site offers, and that they run where nothing is installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from coursekit.bank import load_bank
from coursekit.notebook import chapter_notebook
from coursekit.site.notebooks import install_source
from coursekit.site.project import Project

BOOK = Project(Path(__file__).resolve().parents[2])
CHAPTERS = [chapter for chapter in BOOK.chapters() if BOOK.is_notebook(chapter)]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_site_offers_the_chapter_as_a_valid_notebook(site: Path, chapter: Path) -> None:
    notebook = nbformat.read(site / "notebooks" / f"{chapter.stem}.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata["kernelspec"]["name"] == "python3"
    assert any(cell.cell_type == "code" for cell in notebook.cells)
    # Directives of the page have no meaning in a notebook.
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert "```{" not in text
    assert "{cite}" not in text


def test_notebook_installs_the_published_wheel_and_only_what_it_needs(tmp_path: Path) -> None:
    wheel = Path("attention_course-1-py3-none-any.whl")
    chapter = tmp_path / "light.md"
    chapter.write_text("# Light\n\n```{code-cell}\nimport attn\n```\n")
    site = "https://ada.github.io/course/"
    published = f"attention-course[notebook] @ {site}notebooks/{wheel.name}"
    assert install_source(chapter, wheel, site) == published
    assert install_source(chapter, wheel, "") is None
    chapter.write_text("# Heavy\n\n```{code-cell}\nimport torch\n```\n")
    assert str(install_source(chapter, wheel, site)).startswith("attention-course[notebook,torch]")
    chapter.write_text("# Teach\n\n```{code-cell}\n%%bash\ncoursekit grade masking\n```\n")
    wanted = "attention-course[notebook,grading,cluster]"
    assert str(install_source(chapter, wheel, site)).startswith(wanted)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an environment that has a kernel and nothing of ours, as Jupyter has."""
    folder = tmp_path_factory.mktemp("clean")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    pip = [python, "-m", "pip", "install", "-q", "-c", BOOK.root / "requirements.txt"]
    subprocess.run([*pip, "ipykernel"], check=True)
    spec = folder / "kernels" / "clean"
    spec.mkdir(parents=True)
    command = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel = {"argv": command, "display_name": "Clean", "language": "python"}
    (spec / "kernel.json").write_text(json.dumps(kernel))
    return folder


@pytest.mark.heavy
def test_notebooks_run_in_one_clean_environment(
    site: Path, clean: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_PATH", str(clean))
    monkeypatch.setenv("PIP_CONSTRAINT", str(BOOK.root / "requirements.txt"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.delenv("PYTHONPATH", raising=False)
    bank = load_bank(BOOK.root / "exercises")
    wheel = next((site / "notebooks").glob("*.whl"))
    extras = "notebook,torch,grading,cluster"
    source = f"attention-course[{extras}] @ {wheel.resolve().as_uri()}"
    # One chapter grades exercises, which lie in the repository and not in the wheel.
    (clean / "exercises").symlink_to(BOOK.root / "exercises")
    made = {c.stem: chapter_notebook(c, bank, install=source) for c in CHAPTERS}

    def run(name: str) -> None:
        client = NotebookClient(
            made[name],
            kernel_name="clean",
            timeout=900,
            resources={"metadata": {"path": str(clean)}},
            extra_arguments=["--IPKernelApp.log_level=40"],
        )
        client.execute()

    first, *others = made
    run(first)  # its first cell installs the library
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(run, others))
    python = clean / "venv" / "bin" / "python"
    where = "import attn, attnlab.explorables as e; print(attn.__file__, e.__file__)"
    done = subprocess.run([python, "-c", where], capture_output=True, text=True, check=True)
    assert all(str(clean) in part for part in done.stdout.split())
