"""Predictions: what the reader set, and the result beside it."""

import re

import pytest

from course_lib.figures import Prediction

CITIES = ["Paris", "Rome"]


def test_the_result_stands_beside_the_prediction():
    prediction = Prediction("How many?", high=100, decimals=0)
    prediction._control.state = {"guess": 40}  # as the page does
    assert prediction.guess == 40
    revealed = prediction.reveal(55)
    assert revealed.title == "What came out"
    assert revealed.alt == "A number from 0 to 100. Your prediction: 40. What came out: 55."
    assert "you: 40" in revealed.svg
    assert ">55<" in revealed.svg


def test_who_predicts_nothing_sees_the_result_alone():
    alone = Prediction("How many?", high=100, decimals=0).reveal(55)
    assert "prediction" not in alone.alt.lower()
    assert "you" not in alone.svg
    assert ">55<" in alone.svg


def test_a_result_outside_of_the_range_is_said_as_it_is():
    assert "What came out: 130." in Prediction("How many?", high=100, decimals=0).reveal(130).alt


def test_a_choice():
    prediction = Prediction("Which city?", CITIES)
    prediction._control.state = {"guess": "Rome"}
    revealed = prediction.reveal("Paris")
    assert revealed.alt == "One of: Paris; Rome. Your prediction: Rome. What came out: Paris."
    assert revealed.svg.index("what came out") < revealed.svg.index("your prediction")
    assert revealed.title == "Not as you predicted"


def test_the_still_of_a_question_shows_the_options_and_does_not_tell_the_result():
    assert all(f">{city}<" in Prediction("Which city?", CITIES)._control.svg for city in CITIES)
    assert "came out" not in Prediction("Which city?", CITIES)._control.alt


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"low": 1, "high": 1}, "low must be below high: 1, 1"),
        ({"options": ["Paris"]}, r"options must be at least two, not \['Paris'\]"),
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


def test_what_came_out_is_shown_alone_or_with_the_prediction_and_asks_for_nothing():
    prediction = Prediction("Which city?", [*CITIES, "Bern", "Oslo"])
    assert "run to use" in prediction._control._repr_mimebundle_()[0]["text/html"]
    prediction._control.state = {"guess": "Bern"}
    for guess, title, shown in (
        (None, "What came out", {"Paris"}),
        ("Bern", "Not as you predicted", {"Paris", "Bern"}),
        ("Paris", "As you predicted", {"Paris"}),
    ):
        prediction._control.state = {"guess": guess}
        revealed = prediction.reveal("Paris")
        assert revealed.title == title
        assert {city for city in [*CITIES, "Bern", "Oslo"] if f">{city}<" in revealed.svg} == shown
        assert "run to use" not in revealed._repr_mimebundle_()[0]["text/html"]


def test_in_a_static_page_what_came_out_is_folded_and_the_question_is_not():
    prediction = Prediction("Which city?", CITIES)
    question, revealed = (
        f._repr_mimebundle_()[0]["text/html"] for f in (prediction._control, prediction.reveal("Paris"))
    )
    assert "<details" not in question
    assert re.fullmatch(
        r'<details class="course-still"><summary>What came out</summary>.*</details>', revealed, re.DOTALL
    )
    assert 'alt="One of: Paris; Rome. What came out: Paris."' in revealed
