"""Predictions: what the reader set, and the answer beside it."""

import re

import pytest

from course_lib.figures import PageFigure, Prediction

CITIES = ["Paris", "Rome", "Bern", "Oslo"]


def words(figure: PageFigure) -> set[str]:
    """What is written in the drawing."""
    return set(re.findall(r"<text[^>]*>([^<]*)</text>", figure.svg)) - {""}


def test_the_answer_stands_beside_the_prediction():
    prediction = Prediction("How many?", high=100, decimals=0)
    prediction._control.state = {"guess": 40}  # as the page does
    assert prediction.guess == 40
    revealed = prediction.reveal(55)
    assert revealed.title == "You said 40; the answer is 55"
    assert revealed.alt == "A number from 0 to 100. Your guess: 40. The answer: 55."
    assert {"How many?", "You: 40", "Answer: 55"} <= words(revealed)


@pytest.mark.parametrize(
    ("guess", "title"),
    [
        (None, "The answer: 55 % of the words"),
        (20, "You said 20 %; the answer is 55 % of the words"),
        (51, "Nearly: you said 51 %; the answer is 55 % of the words"),
        (55, "You were right: 55 % of the words"),
    ],
)
def test_the_title_says_how_near_it_was(guess, title):
    prediction = Prediction("How many?", high=100, decimals=0, unit="% of the words")
    prediction._control.state = {"guess": guess}
    assert prediction.reveal(55.3).title == title


@pytest.mark.parametrize(
    ("options", "ticks", "axis"),
    [
        ({"high": 100, "decimals": 0, "unit": "%"}, {"0 %", "10 %", "50 %", "100 %"}, None),
        ({"high": 100, "decimals": 0, "unit": "% of the words"}, {"0 %", "100 %"}, "of the words"),
        ({"high": 28, "decimals": 0, "unit": "of 28 frames"}, {"0", "10", "28"}, "of 28 frames"),
        ({"high": 2.8, "unit": "seconds"}, {"0", "1", "2", "2.8"}, "seconds"),
        ({"low": -1}, {"−1", "0", "1"}, None),
    ],
)
def test_the_axis_has_numbers_and_their_unit(options, ticks, axis):
    control = Prediction("How many?", **options)._control
    assert ticks <= words(control)
    if axis:
        assert axis in words(control)


def test_who_predicts_nothing_sees_the_answer_alone():
    alone = Prediction("How many?", high=100, decimals=0).reveal(55)
    assert "guess" not in alone.alt.lower()
    assert "Answer: 55" in words(alone)
    assert not any("You" in text for text in words(alone))


def test_an_answer_outside_of_the_range_is_said_as_it_is():
    outside = Prediction("How many?", high=100, decimals=0).reveal(130)
    assert "The answer: 130." in outside.alt
    assert "Answer: 130" in words(outside)


@pytest.mark.parametrize(
    ("guess", "title", "tags"),
    [
        (None, "The answer: Paris", {"the answer"}),
        ("Rome", "You said Rome; the answer is Paris", {"the answer", "your guess"}),
        ("Paris", "You were right: Paris", {"the answer, your guess"}),
    ],
)
def test_a_choice_beside_its_answer(guess, title, tags):
    prediction = Prediction("Which city?", CITIES)
    prediction._control.state = {"guess": guess}
    revealed = prediction.reveal("Paris")
    said = f" Your guess: {guess}." if guess else ""
    assert revealed.alt == f"One of: Paris; Rome; Bern; Oslo.{said} The answer: Paris."
    assert revealed.title == title
    assert words(revealed) == {"Which city?", *CITIES, *tags}


def test_the_question_does_not_tell_its_answer_until_it_is_asked_to():
    for prediction, answer in (
        (Prediction("Which city?", CITIES, answer="Rome"), "Rome"),
        (Prediction("How many?", high=100, decimals=0, answer=55), "55"),
    ):
        control = prediction._control
        assert "answer" not in control.alt
        assert control.title.endswith("?")
        assert answer in CITIES or answer not in words(control)
        control.state = {"shown": True}
        assert f"The answer: {answer}." in control.alt


def test_once_it_is_revealed_the_question_can_show_it_too():
    prediction = Prediction("Which city?", CITIES)
    control = prediction._control
    assert set(CITIES) == words(control)
    control.state = {"guess": "Bern", "shown": True}  # as if there were something to show
    assert control.title == "Which city?"
    prediction.reveal("Paris")
    assert control.title == "You said Bern; the answer is Paris"


def test_the_answer_asks_for_nothing():
    prediction = Prediction("Which city?", CITIES)
    assert "run to use" in prediction._control._repr_mimebundle_()[0]["text/html"]
    assert "run to use" not in prediction.reveal("Paris")._repr_mimebundle_()[0]["text/html"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"low": 1, "high": 1}, "low must be below high: 1, 1"),
        ({"options": ["Paris"]}, r"options must be at least two, not \['Paris'\]"),
        ({"options": CITIES, "answer": "Berlin"}, "answer is 'Berlin': expected one of"),
        ({"answer": "Paris"}, "answer is 'Paris': expected a number"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Prediction("?", **arguments)


def test_an_answer_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="answer is 'Berlin': expected one of"):
        Prediction("Which city?", CITIES).reveal("Berlin")
    with pytest.raises(ValueError, match="answer is 'Paris': expected a number"):
        Prediction("How many?").reveal("Paris")


def test_in_a_static_page_the_answer_is_folded_and_the_question_is_not():
    prediction = Prediction("Which city?", CITIES)
    question, revealed = (
        f._repr_mimebundle_()[0]["text/html"] for f in (prediction._control, prediction.reveal("Paris"))
    )
    assert "<details" not in question
    assert re.fullmatch(
        r'<details class="course-still"><summary>The answer</summary>.*</details>', revealed, re.DOTALL
    )
    assert 'alt="One of: Paris; Rome; Bern; Oslo. The answer: Paris."' in revealed
