"""The build is strict, says what is wrong in one line, and does again only what changed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from bs4 import BeautifulSoup
from jupyter_cache.executors.utils import ExecutionResult
from PIL import Image

import tools.site.execute
from tools.site.build import build as site_build
from tools.site.build import write_pages
from tools.site.environment import BuildError
from tools.site.execute import execute
from tools.site.offline import group_of, works_in_folder
from tools.site.project import Project
from tools.site.publish import formulas, publish
from tools.site.serve import at_the_root


def build(course: Any) -> list[str]:
    """Build the small course, and return the chapters that were executed."""
    done = execute(course)
    write_pages(course)
    publish(course)
    return sorted(path.stem for path in done)


def page(course: Any, name: str) -> str:
    return (course.html / f"{name}.html").read_text(encoding="utf-8")


def test_only_what_changed_is_done_again(course: Any) -> None:
    assert build(course) == ["first", "second"]
    assert "42" in page(course, "first")

    course.write("first", "# First\n\nNew text.\n\n```{code-cell}\nprint(6 * 7)\n```\n")
    assert build(course) == []
    assert "New text." in page(course, "first")
    assert "42" in page(course, "first")

    course.write("first", "# First\n\n```{code-cell}\nprint(6 * 70)\n```\n")
    assert build(course) == ["first"]
    assert "420" in page(course, "first")

    # Neither text nor code of the second chapter changes: Sphinx alone would keep the old page.
    (course.root / "lib" / "small" / "__init__.py").write_text("print('afterwards')\n")
    assert build(course) == ["second"]
    assert "afterwards" in page(course, "second")


def test_new_words_make_no_other_page_anew(course: Any) -> None:
    build(course)
    course.write("second", "# Second\n\nUnforeseen vocabulary.\n")
    build(course)
    before = {path: path.stat().st_mtime_ns for path in course.html.glob("*.html")}
    course.write("second", "# Second\n\nOther unheard-of expressions.\n")
    build(course)
    assert {path.name for path in before if path.stat().st_mtime_ns != before[path]} == {
        "second.html"
    }
    index = (course.html / "_static" / "search-index.js").read_text("utf-8")
    assert "Other unheard-of expressions" in index
    assert "Unforeseen" not in index


def test_page_is_light_and_formulas_need_no_script(course: Any) -> None:
    dot = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>'
    (course.book / "dot.svg").write_text(dot)
    course.write("second", "# Second\n\n![A dot](dot.svg)\n", kernel=False)
    build(course)
    assert 'alt="A dot"' in page(course, "second")
    assert (course.html / "_images" / "dot.svg").exists()
    text = page(course, "first")
    assert "<math" in text
    assert '<span style="white-space: nowrap"><span class="math' in text
    assert "</span>.</span>" in text  # the full stop stays with the formula
    assert "\\(" not in text
    assert "thebe" not in text
    assert "colab" not in text  # no setting, no dead button
    assert "report a mistake" not in text


def test_a_published_course_says_where_it_is_while_it_is_there(course: Any) -> None:
    settings = course.root / "_config.yml"
    own, nowhere = "https://walks.example.org/of/dogs", settings.read_text()
    text = nowhere.replace('url: ""', "url: https://github.com/Ada/course")
    settings.write_text(text.replace("html:\n", f"html:\n  baseurl: {own}\n", 1))
    build(course)
    text = page(course, "first")
    assert "/github/Ada/course/blob/gh-pages/notebooks/first.ipynb" in text
    assert "/v2/gh/Ada/course/gh-pages?urlpath=lab%2Ftree%2Fnotebooks%2Ffirst.ipynb" in text
    assert 'class="report" href="https://github.com/Ada/course/issues/new?title=First' in text
    assert f'content="{own}/first.html" property="og:url"' in text
    for shown in (text, page(course, "index")):
        assert f'<link href="{own}/first.html" rel="canonical"/>' in shown
        assert shown.count("canonical") == 1
    # The page for what is not found is shown at any address, so it names the site's own folder.
    lost = page(course, "404")
    assert 'href="/of/dogs/_static/site.css' in lost
    assert 'action="/of/dogs/search.html"' in lost
    assert 'href="/of/dogs/second.html"' in lost
    assert '"/of/dogs/' not in at_the_root(lost)  # as `make serve` shows it
    assert 'href="/second.html"' in at_the_root(lost)
    sitemap, robots = ((course.html / name).read_text() for name in ("sitemap.xml", "robots.txt"))
    assert re.findall("<loc>(.*)</loc>", sitemap) == [f"{own}/first.html", f"{own}/second.html"]
    assert f"Sitemap: {own}/sitemap.xml" in robots
    assert "github.io" not in robots + sitemap + text + lost
    assert "summary_large_image" in text
    (name,) = re.findall(rf'content="{own}/([^"]*)" property="og:image"', text)
    with Image.open(course.html / name) as card:
        assert card.width > 1000
    assert group_of(name) is None  # of no use to somebody who reads offline, or in a folder
    assert not works_in_folder(name)

    settings.write_text(nowhere)
    build(course)
    for name in ("first", "second", "search"):
        head = page(course, name).partition("</head>")[0]
        assert not re.search(r'(content|href)="[^"]*://|rel="canonical"', head)
    assert not (course.html / "sitemap.xml").exists()


def test_pages_name_the_wheel_of_the_version_that_is_built(course: Any) -> None:
    text = '# Second\n\n```bash\npip install "{{ wheel }}[notebook]"\n```\n\n<b>{{ wheel }}</b>\n'
    course.write("second", text, kernel=False)
    for version in ("1.0", "1.1"):
        settings = course.root / "pyproject.toml"
        settings.write_text(settings.read_text().replace("1.0", version))
        build(Project(course.root))
        wheel = f"small_course-{version}-py3-none-any.whl"
        shown = BeautifulSoup(page(course, "second"), "html.parser").select_one("article")
        assert shown is not None
        assert shown.get_text().count(wheel) == 2
        assert wheel in page(course, "first")  # in its menu, though its text has not changed


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("_toc.yml", "- file: [oops", "_toc.yml: .*line 5"),
        ("_toc.yml", "- file: third", "_toc.yml names third, but .*third.md does not exist"),
        ("_config.yml", "x: [y", "_config.yml: .*expected ',' or ']'"),
        ("_config.yml", "title: ''", "_config.yml: expected settings with a `title`"),
        (
            "_config.yml",
            "repository: {url: 'https://x.org/a/b'}",
            "expected https://github.com/OWNER",
        ),
        (
            "_config.yml",
            "html: {baseurl: walks.example.org}",
            "html baseurl is .*; expected the add",
        ),
    ],
)
def test_broken_settings_are_one_line(course: Any, file: str, text: str, said: str) -> None:
    path = course.root / file
    path.write_text(f"{path.read_text()}{text}\n")
    with pytest.raises(BuildError, match=said) as caught:
        site_build(course)
    assert "\n" not in str(caught.value)


def test_broken_exercise_is_one_line(course: Any) -> None:
    (course.root / "exercises").unlink()  # a link to those of the course
    folder = course.root / "exercises" / "first"
    folder.mkdir(parents=True)
    (folder / "broken.py").write_text("x = (\n")
    with pytest.raises(BuildError, match=r"exercises: .*broken.py") as caught:
        site_build(course)
    assert "\n" not in str(caught.value)


def test_failing_cell_fails_the_build_in_one_line(course: Any) -> None:
    course.write("second", "# Second\n\n```{code-cell}\nx = 1\nx / 0\n```\n")
    with pytest.raises(BuildError) as caught:
        execute(course)
    message = str(caught.value)
    assert message.count("\n") == 0
    assert "book/second.md" in message
    assert "ZeroDivisionError: division by zero" in message
    # The chapter that went well is kept; the failed one is tried again.
    course.write("second", "# Second\n\n```{code-cell}\nx = 1\n```\n")
    assert [path.stem for path in execute(course)] == ["second"]


def test_warnings_fail_the_build_every_time_and_all_are_said(course: Any) -> None:
    text = "See {ref}`nowhere`, {cite}`nobody1999`.\n\n```{exercise} no-such-exercise\n```"
    course.write("second", f"# Second\n\n{text}\n", kernel=False)
    execute(course)
    for _ in range(2):
        with pytest.raises(BuildError) as caught:
            write_pages(course)
        for said in ("nowhere", "nobody1999", "no-such-exercise", "second.md"):
            assert said in str(caught.value)


def test_formula_that_katex_does_not_know_fails_the_build(course: Any) -> None:
    with pytest.raises(BuildError, match="nosuchcommand"):
        formulas.render(course, [(r"\nosuchcommand{x}", False)])


def test_warning_on_stderr_of_a_cell_fails_the_build(course: Any) -> None:
    cell = "import warnings\n\nwarnings.warn('mind this')"
    course.write("second", f"# Second\n\n```{{code-cell}}\n{cell}\n```\n")
    execute(course)
    with pytest.raises(BuildError, match="second"):
        write_pages(course)


@pytest.mark.parametrize(("deaths", "said"), [(2, ""), (3, "Kernel died before replying")])
def test_a_kernel_that_finds_its_port_taken_is_started_again(
    course: Any, monkeypatch: pytest.MonkeyPatch, deaths: int, said: str
) -> None:
    starts = iter(range(10))

    def run(*args: Any, **kwargs: Any) -> Any:
        if next(starts) < deaths:
            raise RuntimeError("Kernel died before replying to kernel_info")
        return ExecutionResult(args[0], None, 1.0)

    monkeypatch.setattr(tools.site.execute, "single_nb_execution", run)
    done = tools.site.execute._run(tools.site.execute._Run(course.book / "first.md", object()))
    assert said in done.error
    assert bool(said) == bool(done.error)


def test_page_that_left_the_book_leaves_the_site(course: Any) -> None:
    build(course)
    course.write("third", "# Third\n", kernel=False)
    toc = course.root / "_toc.yml"
    toc.write_text(toc.read_text().replace("second", "third"))
    (course.book / "second.md").unlink()
    build(course)
    assert not (course.html / "second.html").exists()
    assert (course.html / "third.html").exists()
