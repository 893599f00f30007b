"""Questions in a real browser, on the built site: numbers, options, hints, forgetting."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from coursekit.model import Choice

from .exercises import BANK, BY_HAND, CHAPTER, answer_by_hand, block, press, unfold


@pytest.fixture
def chapter(page: Page) -> Page:
    page.goto(CHAPTER)
    return page


def test_a_wrong_number_has_its_own_explanation_and_keeps_it(chapter: Page) -> None:
    id, value = next(iter(BANK[BY_HAND].questions[0].mistakes.items()))
    feedback = answer_by_hand(chapter, ", ".join(map(str, value)))
    expect(feedback.locator(".ck-why")).to_have_text(BANK[BY_HAND].misconceptions[id])
    expect(feedback.locator(".ck-tag")).to_have_text("Not yet")
    chapter.reload()
    expect(feedback.locator(".ck-why")).to_have_text(BANK[BY_HAND].misconceptions[id])


#: Where an element stands on its page, however far that is scrolled.
PLACE = "e => { const { top, height } = e.getBoundingClientRect(); return [top + scrollY, height] }"


def test_a_wrong_answer_is_drawn_as_what_it_would_mean(chapter: Page) -> None:
    exercise = block(chapter, "predict-who-drank")
    picture = exercise.locator(".ck-picture")
    expect(picture).to_have_attribute("aria-label", "Your answer will be drawn here.")
    place = picture.evaluate(PLACE)
    for typed, heard in (
        ("0.881", "the left out, cat 0.881, drank left out, milk 0.119"),
        ("0.776", "the 0.105, cat 0.776, drank 0.014, milk 0.105"),
    ):
        exercise.locator("input").fill(typed)
        press(exercise, "Check")
        expect(picture).to_have_attribute("aria-label", f"Your answer, drawn: {heard}.")
        assert picture.evaluate(PLACE) == place  # its room was there before
    chapter.reload()
    expect(picture).to_have_attribute("aria-label", f"Your answer, drawn: {heard}.")


def test_every_option_of_a_quiz_has_its_message(chapter: Page) -> None:
    for exercise in BANK.chapter("queries-keys-values"):
        for question in exercise.questions:
            place = block(chapter, exercise.id).locator(f"[data-question={question.name}]")
            if not isinstance(question, Choice) or not place.count():
                continue
            unfold(place)
            for key, option in question.options.items():
                place.locator(f"input[value={key}]").check()
                press(place, "Check")
                said = "ck-right" if option.correct else "ck-seen"
                text = option.success_message if option.correct else option.failure_message
                words = re.sub("[`*]", "", text)  # shown as code and emphasis
                expect(place.locator(f".ck-feedback .{said}")).to_contain_text(words)
                if option.correct:  # it stands alone then
                    expect(place.locator("input[type=radio]:visible")).to_have_count(1)
                    press(place, "Show all answers")
                expect(place.locator("input[type=radio]:visible")).to_have_count(
                    len(question.options)
                )


def test_hints_open_one_after_the_other(chapter: Page) -> None:
    exercise = block(chapter, BY_HAND)
    hints = exercise.locator("details.ck-hint")
    count = len(BANK[BY_HAND].hints)
    for number in range(count):
        expect(exercise.locator("details.ck-hint:visible")).to_have_count(number + 1)
        hints.nth(number).locator("summary").click()
    chapter.reload()
    expect(exercise.locator("details.ck-hint:visible")).to_have_count(count)


def test_quiz_is_answered_by_keyboard_alone(chapter: Page) -> None:
    first = chapter.locator(".ck-choice").first
    unfold(first)
    first.locator("input").first.focus()
    chapter.keyboard.press("ArrowDown")
    chapter.keyboard.press("Enter")
    expect(first.locator(".ck-feedback")).not_to_be_empty()
    chapter.keyboard.press("Tab")
    button = first.get_by_role("button", name="Check")
    expect(button).to_be_focused()
    expect(button).to_have_css("outline-style", "solid")


def test_answers_are_forgotten_when_asked_twice(chapter: Page) -> None:
    exercise = block(chapter, BY_HAND)
    forget = chapter.get_by_role("button", name="Forget my answers")
    expect(forget).to_be_hidden()
    answer_by_hand(chapter, "0.5, 0.5")
    forget.click()
    press(chapter.locator(".ck-progress"), "Keep them")
    expect(forget).to_be_focused()
    assert exercise.locator("input").input_value() == "0.5, 0.5"
    forget.click()
    with chapter.expect_navigation():
        press(chapter.locator(".ck-progress"), "Forget")
    assert exercise.locator("input").input_value() == ""
    expect(exercise.locator(".ck-feedback")).to_be_empty()
    keys = chapter.evaluate("Object.keys(localStorage).filter(k => k.startsWith('attention-'))")
    assert keys == ["attention-course:page"]  # which page was open last
