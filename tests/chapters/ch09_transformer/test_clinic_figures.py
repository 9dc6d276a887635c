"""The charts of the clinic: what is said of curves and maps, and what is drawn."""

from io import BytesIO

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

from course_lib.chapters.ch09_transformer.clinic_figures import Chart, patient_charts
from course_lib.figures.palette import COLOURS
from course_lib.figures.picture import Picture

OWN, CROSS = np.array([[1.0, 0.0], [0.3, 0.4]]), np.array([[0.1, 0.2, 0.7], [0.9, 0.1, 0.0]])
FALLING = np.array([np.geomspace(2, 0.02, 60), np.geomspace(2, 0.01, 60), np.geomspace(2, 0.001, 60)])


def chart(**changes: object) -> Chart:
    words = {"read": ["<s>", "un"], "source": ["one", "two", "<pad>"], "predicted": ["un", "deux"]}
    return Chart(**({"name": "Patient 1", "losses": FALLING, "own": OWN, "cross": CROSS} | words | changes))


def in_colour(picture: Picture, colour: str) -> np.ndarray:
    image = np.asarray(Image.open(BytesIO(picture.png)).convert("RGB"))[96:] / 255  # below the legend
    return np.abs(image - to_rgb(colour)).max(axis=-1) < 0.06


def test_what_is_said() -> None:
    told = patient_charts([chart()], np.full((3, 60), 0.5)).alt
    last = np.median(FALLING[:, -10:].mean(axis=1))  # smoothed over ten steps, the median of the seeds
    assert (
        f"Patient 1: loss from {np.median(FALLING[:, :10].mean(axis=1)):.3g} to {last:.3g} in 60 steps"
        in told
    )
    assert "healthy to 0.5." in told
    assert "own words: 'un' most to '<s>' (1), 'deux' most to 'un' (0.4, sum of the row 0.7)." in told
    assert "the source: 'un' most to '<pad>' (0.7), 'deux' most to 'one' (0.9)." in told


def test_a_row_for_each_patient() -> None:
    one, two = (patient_charts([chart()] * n, FALLING) for n in (1, 2))
    assert two.height == pytest.approx(2 * one.height, rel=0.15)
    assert two.alt == f"{one.alt} {one.alt}"


def test_a_lower_loss_is_drawn_lower() -> None:
    def height_of(colour: str, losses: float, healthy: float) -> float:
        shown = chart(losses=np.full((1, 60), losses))
        return np.argwhere(in_colour(patient_charts([shown], np.full((1, 60), healthy)), colour))[:, 0].min()

    patient, healthy = COLOURS[1], COLOURS[2]
    assert height_of(patient, 0.01, 1.0) > height_of(healthy, 0.01, 1.0)
    assert height_of(patient, 1.0, 0.01) < height_of(healthy, 1.0, 0.01)


def test_levels_are_drawn() -> None:
    plain, levels = (
        patient_charts([chart()], FALLING, log=False, levels=levels) for levels in (None, {"blind": 2.0})
    )
    assert plain.png != levels.png


def test_refuses_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match="charts is empty"):
        patient_charts([], FALLING)
    with pytest.raises(ValueError, match="of 'Patient 1': expected"):
        patient_charts([chart(source=["one", "two"])], FALLING)
