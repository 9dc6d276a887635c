"""The stored scaling record is what training gives, and its laws say what the page says."""

import numpy as np
import pytest

from course_lib.chapters.ch12_to_today import scaling
from course_lib.chapters.ch12_to_today.switches import TODAY, build, n_parameters


@pytest.fixture(scope="module")
def record():
    return scaling.stored()


def test_has_every_training_and_seed(record):
    assert set(record) == set(scaling.trainings())
    for row in record.values():
        assert set(row) == {str(seed) for seed in scaling.SEEDS}
    looks = [row["looks"] for name in record if "sentences" in name for row in record[name].values()]
    assert {len(row) for row in looks} == {scaling.STEPS // scaling.LOOK_EVERY}


def test_counts_are_those_of_the_models(record):
    shapes = {f"width {d}": (d, 3) for d in scaling.WIDTHS} | scaling.SHAPES
    for name, (d, n_layers) in shapes.items():
        counted = n_parameters(build(TODAY, scaling.sizes(d, n_layers)))
        assert {row["parameters"] for row in record[name].values()} == {counted}


@pytest.mark.parametrize("n", [300, 19_200])
def test_is_what_training_gives(record, n):
    """For one seed and the first look."""
    found = scaling.by_sentences(n, seed=1, stop_after=scaling.LOOK_EVERY)
    assert found["looks"] == pytest.approx(record[f"{n} sentences"]["1"]["looks"][:1], rel=0.02)


def test_shapes_compared_have_equal_parameters(record):
    counts = [record[name]["0"]["parameters"] for name in ("width 48", *scaling.SHAPES)]
    assert max(counts) / min(counts) < 1.04


@pytest.mark.parametrize("law", [(1.3, 40.0, 0.31), (0.0, 5.0, 0.1), (2.5, 900.0, 0.7)])
def test_a_law_is_found_again_from_its_points(law):
    x = np.geomspace(100, 50_000, 6)
    expected = scaling.PowerLaw(*law)
    found = scaling.fit_power_law(x, expected.at(x))
    assert found.floor == pytest.approx(expected.floor, abs=0.02)
    assert found.exponent == pytest.approx(expected.exponent, rel=0.03)
    assert found.at(1e6) == pytest.approx(expected.at(1e6), rel=0.01)


@pytest.mark.parametrize("points", [([1, 2], [3, 2]), ([1, 2, 3], [3, 2, 0]), ([1, 2, 3], [3, 2])])
def test_refuses_too_few_points_and_losses_of_nothing(points):
    with pytest.raises(ValueError, match="expected three points or more, greater than 0"):
        scaling.fit_power_law(*points)
