"""Kinds of exercise that few chapters have: prose, practice with its solution, bound figures."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tools.site.project import Project

from ..coursekit_web.conftest import HERE, build
from ..coursekit_web.figures import SCRIPT
from .conftest import BARE, serving, watched
from .exercises import LOADED, press, write


@pytest.fixture(scope="module")
def sampler(
    project: Project, site: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Serve the small project of every kind, with the course's own scripts."""
    folder = tmp_path_factory.mktemp("book")
    shutil.copytree(HERE / "book", folder, dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(HERE))
        out = build(folder, assets=project.assets).out
    with serving(out) as address:
        yield address


@pytest.fixture
def page(browser: Browser, sampler: str) -> Iterator[Page]:
    with watched(browser, sampler) as made:
        made.route(BARE, lambda route: route.fulfill(body=""))
        made.goto("sampler.html")
        yield made


def test_prose_is_kept_and_its_rubric_shown_after_writing(page: Page) -> None:
    question = page.locator("[data-question=why]")
    compare = question.get_by_role("button", name="Compare with the rubric")
    expect(question.locator(".ck-rubric")).to_be_hidden()
    compare.click()
    expect(question.locator(".ck-feedback")).to_contain_text("Write your answer first")
    expect(question.locator(".ck-rubric")).to_be_hidden()
    text = "Because a square is never negative."
    question.locator("textarea").fill(text)
    compare.click()
    expect(question.locator(".ck-rubric li")).to_have_count(2)
    expect(question.locator(".ck-rubric li").first).to_be_visible()
    expect(question.locator(".ck-feedback")).to_contain_text("A person grades it (3 points)")
    page.reload()
    assert question.locator("textarea").input_value() == text
    expect(question.locator(".ck-rubric li").first).to_be_visible()


def test_quiz_is_done_when_every_question_is_and_the_table_knows(page: Page) -> None:
    quiz = page.locator("#exercise-three-questions")
    progress = page.locator(".ck-progress")
    quiz.locator("input[value=b]").check()
    quiz.locator("[data-question=root] button").click()
    expect(quiz.locator(".ck-right code")).to_have_text("4 * 4")
    quiz.locator("[data-question=pair] input").fill("1/5; 1/2")
    quiz.locator("[data-question=pair] button").click()
    quiz.locator("[data-question=single] input").fill("1,4142")
    page.keyboard.press("Enter")
    expect(quiz.locator("[data-question=single] .ck-unit")).to_have_text("m")
    expect(quiz.locator("[data-question=single] .ck-right")).to_have_text("Right")
    expect(progress).to_contain_text("0 of 3 exercises")
    quiz.locator("[data-question=why] textarea").fill("No square of a real number is negative.")
    quiz.locator("[data-question=why] button").click()
    expect(progress).to_contain_text("1 of 3 exercises")
    page.goto("index.html")
    expect(page.locator(".ck-path [data-exercises]")).to_have_text("1 of 3")


def test_feedback_goes_when_the_answer_changes(page: Page) -> None:
    question = page.locator("[data-question=pair]")
    question.locator("input").fill("0.02, 0.125")
    question.get_by_role("button").click()
    feedback = question.locator(".ck-feedback")
    expect(feedback).to_contain_text("A root is not a half")
    question.locator("input").press("End")
    page.keyboard.type("0")
    expect(feedback).to_be_empty()


def test_solution_of_practice_appears_after_an_own_attempt(page: Page) -> None:
    exercise = page.locator("#exercise-practice-point")
    solution = exercise.locator(".ck-solution")
    press(exercise, "Check")  # the starter is no attempt
    expect(exercise.locator(".ck-why")).to_have_text("It lies inside the circle.", timeout=LOADED)
    expect(solution).to_be_hidden()
    write(exercise, "point = (1, 1)")
    press(exercise, "Check")
    expect(exercise.locator(".ck-seen")).to_contain_text("It is 1.41 away")
    expect(solution).to_be_visible()
    expect(page.locator("#exercise-graded-root .ck-solution")).to_have_count(0)
    page.reload()
    expect(solution).to_be_visible()


def test_graded_work_says_after_an_attempt_that_it_shows_no_solution(page: Page) -> None:
    exercise = page.locator("#exercise-graded-root")
    note = exercise.locator(".ck-no-solution")
    expect(note).to_have_count(0)
    exercise.locator("textarea").fill("root = 1")
    press(exercise, "Check")
    expect(note).to_contain_text("Courses grade this exercise, so the page has no solution to show")
    page.reload()
    expect(note).to_be_visible()
    expect(page.locator("#exercise-practice-point .ck-no-solution")).to_have_count(0)


def test_any_figure_that_keeps_the_contract_can_be_bound(page: Page) -> None:
    page.add_script_tag(content=SCRIPT)
    exercise = page.locator("#exercise-practice-point")
    press(exercise, "Use as answer")
    assert exercise.locator("textarea").input_value().endswith("point = [1.5, 2.0]\n")
    write(exercise, "point = (0, 3)")
    press(exercise, "Check")
    state = exercise.locator("output")
    expect(state).to_have_text('{"place":[0,3]}', timeout=LOADED)
    page.reload()
    page.add_script_tag(content=SCRIPT)  # a figure's script may come last
    expect(state).to_have_text('{"place":[0,3]}')


def test_answers_to_an_older_version_keep_their_words_only(page: Page) -> None:
    question = page.locator("[data-question=single]")
    question.locator("input").fill("1.4142")
    page.keyboard.press("Enter")
    expect(question.locator(".ck-right")).to_be_visible()
    key = "coursekit:exercise:three-questions"
    page.evaluate(
        """key => { const m = JSON.parse(localStorage[key]); m.version = "older";
            localStorage[key] = JSON.stringify(m) }""",
        key,
    )
    page.reload()
    assert question.locator("input").input_value() == "1.4142"
    expect(question.locator(".ck-feedback")).to_be_empty()
    line = page.locator("#exercise-three-questions .ck-changed")
    expect(line).to_contain_text("This question has changed since you answered")
    question.locator("input").press("Enter")
    expect(question.locator(".ck-right")).to_be_visible()
    expect(line).to_have_count(0)
