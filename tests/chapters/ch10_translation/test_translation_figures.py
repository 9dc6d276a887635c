"""The picture of one decoding step: what it says, and that it draws what it says."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from course_lib.chapters.ch10_translation import translation_figures as translation
from course_lib.chapters.ch10_translation.translation_figures import DecodingStep, LayerMaps, translation_step
from course_lib.figures.picture import Picture

SOURCE, TOKENS = ["I", "love", "$you$", "</s>"], ["Je", "t'", "aime", "</s>"]
LINES = {"English": "I love you.", "Greedy": "Je t’aime."}
WEIGHTS = np.array(
    [
        [[0.7, 0.1, 0.1, 0.1], [0.0, 0.25, 0.75, 0.0], [0.004, 0.6, 0.1, 0.296], [0.1, 0.1, 0.1, 0.7]],
        [[0.4, 0.2, 0.2, 0.2], [0.9, 0.1, 0.0, 0.0], [0.1, 0.1, 0.8, 0.0], [0.2, 0.2, 0.2, 0.4]],
    ]
)


def at(step: int, changed: tuple[int, ...] = (), taken: int = 0) -> DecodingStep:
    """Make a step at which three tokens are the likeliest."""
    likeliest = [TOKENS[step], "m'", "te"] if taken == 0 else ["m'", TOKENS[step], "te"]
    return DecodingStep(TOKENS, step, changed, likeliest, [0.5, 0.125, 0.00001], taken, 20)


def cross(columns: list[str] = SOURCE) -> LayerMaps:
    return LayerMaps("cross", 1, WEIGHTS, columns)


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """Keep the figures that are drawn."""
    kept = []

    def draw(width, height, paint):
        figure = Figure(figsize=(width, height), dpi=96)
        FigureCanvasAgg(figure)
        kept.append(figure)
        return Picture("<svg/>", paint(figure), round(width * 96), round(height * 96))

    monkeypatch.setattr(translation, "draw", draw)
    return kept


def page(figure: Figure):
    (axes,) = figure.axes
    return axes


def text(figure: Figure, content: str):
    (found,) = [text for text in page(figure).texts if text.get_text() == content]
    return found


def box(figure: Figure, image: int = 0) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of a map in inches."""
    left, right, bottom, top = page(figure).images[image].get_extent()
    return left, right, top, bottom


def rectangles(figure: Figure, **looks) -> list[Rectangle]:
    """Those of a given hatch or line width that lie on the large map."""
    left, right, top, bottom = box(figure)
    return [
        patch
        for patch in page(figure).patches
        if isinstance(patch, Rectangle)
        and all(getattr(patch, f"get_{name}")() == value for name, value in looks.items())
        and left - 0.01 <= patch.get_x() <= right
        and top - 0.01 <= patch.get_y() <= bottom
    ]


class TestWords:
    def test_says_what_is_written_what_may_come_and_where_the_row_looks(self):
        alt = translation_step(at(2), cross(), 0, LINES).alt
        assert alt == (
            "English: I love you. Greedy: Je t’aime. Step 2, written: 'Je t''. "
            "Likeliest next: 'aime' 50.00% (taken), 'm'' 12.50%, 'te' <0.01%; 20 others share 37.50%. "
            "Cross-attention, layer 1, head 0: the row of 'aime' looks at 'love' 0.6, '</s>' 0.3, '$you$' 0.1."
        )

    def test_says_which_tokens_are_not_the_models_own(self):
        alt = translation_step(at(1, changed=(1,), taken=1), cross(), 1, {**LINES, "Now": "Je t’aime."}).alt
        assert "Now: Je t’aime. Not the model's own choice: 't'' at step 1. Step 1" in alt
        assert "Likeliest next: 'm'' 50.00%, 't'' 12.50% (taken)" in alt
        assert alt.endswith("head 1: the row of 't'' looks at 'I' 0.9, 'love' 0.1.")

    def test_at_the_beginning_nothing_is_written(self):
        assert "Step 0, written: nothing." in translation_step(at(0), cross(), 0, LINES).alt

    def test_the_rows_of_the_encoder_are_the_source(self):
        alt = translation_step(at(1), LayerMaps("encoder", 0, WEIGHTS, SOURCE), 1, LINES).alt
        assert alt.endswith(
            "Encoder self-attention, layer 0, head 1: each row looks most 'I' at 'I' 0.4, 'love' at 'I' 0.9, "
            "'$you$' at '$you$' 0.8, '</s>' at '</s>' 0.4."
        )

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"maps": LayerMaps("cross", 0, WEIGHTS[:, :3], SOURCE)}, r"\(2, 3, 4\): expected \(H, 4, 4\)"),
            ({"maps": LayerMaps("cross", 0, WEIGHTS[0], SOURCE)}, r"\(4, 4\): expected \(H, 4, 4\)"),
            ({"maps": LayerMaps("encoder", 0, WEIGHTS, SOURCE[:3])}, r"expected \(H, 3, 3\)"),
            ({"head": 2}, "head 2, step 1: expected one of 2 heads and 4 steps"),
            ({"step": at(1)._replace(step=4)}, "step 4"),
            ({"step": at(1)._replace(taken=3)}, "taken 3"),
            ({"step": at(1)._replace(probabilities=[1.0])}, "one probability for each token"),
        ],
    )
    def test_refuses_what_does_not_fit(self, change, message):
        with pytest.raises(ValueError, match=message):
            translation_step(**{"step": at(1), "maps": cross(), "head": 0, "lines": LINES, **change})


class TestDrawing:
    def test_the_chosen_head_is_large_and_all_are_small(self, figures):
        translation_step(at(2), cross(), 1, LINES)
        large, *small = [
            image.get_array()[..., 3] / 255 for image in page(figures[0]).images[:3]
        ]  # opacities
        np.testing.assert_allclose(large, WEIGHTS[1], atol=0.002)
        np.testing.assert_allclose(small, WEIGHTS, atol=0.002)
        sizes = [np.diff(image.get_extent()[:2]) for image in page(figures[0]).images[:3]]
        assert sizes[0] > 2 * sizes[1]
        assert (
            text(figures[0], "head 1").get_fontweight()
            == "bold"
            != text(figures[0], "head 0").get_fontweight()
        )

    @pytest.mark.parametrize("step", [0, 2, 3])
    @pytest.mark.parametrize("kind", ["cross", "decoder"])
    def test_the_row_of_the_step_is_framed_and_what_is_to_come_is_hatched(self, figures, kind, step):
        translation_step(at(step), LayerMaps(kind, 1, WEIGHTS, SOURCE), 0, LINES)
        left, right, top, bottom = box(figures[0])
        row, column = (bottom - top) / 4, (right - left) / 4
        (frame,) = rectangles(figures[0], hatch=None, linewidth=2.2)
        assert frame.get_bbox().extents == pytest.approx(
            [left, top + row * step, right, top + row * (step + 1)]
        )
        below, *beside = rectangles(figures[0], hatch="///")
        assert below.get_bbox().extents == pytest.approx([left, top + row * (step + 1), right, bottom])
        assert len(beside) == (step + 1 if kind == "decoder" else 0)
        for i, hatched in enumerate(beside):  # what the causal mask hides from this row
            edges = [left + column * (i + 1), top + row * i, right, top + row * (i + 1)]
            assert hatched.get_bbox().extents == pytest.approx(edges)

    def test_the_encoder_belongs_to_no_step(self, figures):
        translation_step(at(2), LayerMaps("encoder", 0, WEIGHTS, SOURCE), 0, LINES)
        assert not rectangles(figures[0], hatch="///")
        assert not rectangles(figures[0], hatch=None, linewidth=2.2)
        assert text(figures[0], "Read before step 0: no row belongs to a step.")

    def test_names_stand_at_their_rows_and_columns_and_the_row_has_its_numbers(self, figures):
        translation_step(at(2), cross(), 0, LINES)
        left, right, top, bottom = box(figures[0])
        texts = page(figures[0]).texts
        for i, token in enumerate(TOKENS):
            (name,) = [t for t in texts if t.get_text() == token and t.get_ha() == "right" and t.get_rotation() == 0
                       and t.get_position()[0] < left]  # fmt: skip
            assert name.get_position()[1] == pytest.approx(top + (bottom - top) * (i + 0.5) / 4)
            assert (name.get_fontweight() == "bold") == (i == 2)
        for j, word in enumerate(["I", "love", r"\$you\$", "</s>"]):
            (name,) = [t for t in texts if t.get_text() == word and t.get_rotation() > 0]
            assert name.get_position()[0] == pytest.approx(left + (right - left) * (j + 0.5) / 4)
        numbers = [
            t.get_text()
            for t in texts
            if top < t.get_position()[1] < bottom and left < t.get_position()[0] < right
        ]
        assert numbers == ["0.6", "0.1", "0.3"]  # zero is paper, and needs no number

    def test_bars_are_as_long_as_their_probabilities_and_the_one_taken_stands_out(self, figures):
        translation_step(at(1, changed=(1,), taken=1), cross(), 0, LINES)
        names = ["m'", "★ t'", "te", "20 others"]
        labels = [t for t in page(figures[0]).texts if t.get_text() in names and t.get_position()[0] > 6.3]
        assert [label.get_text() for label in labels] == names
        bars = [patch for patch in page(figures[0]).patches if isinstance(patch, Rectangle)
                and 7 < patch.get_x() < 8 and patch.get_height() == pytest.approx(0.7 * translation.BAR)]  # fmt: skip
        lengths = np.array([bar.get_width() for bar in bars])
        np.testing.assert_allclose(lengths / lengths.sum(), [0.5, 0.125, 0.00001, 0.37499], atol=1e-9)
        assert [bar.get_linewidth() > 2 for bar in bars] == [False, True, False, False]
        assert [label.get_fontweight() == "bold" for label in labels] == [False, True, False, False]
        assert [bool(bar.get_hatch()) for bar in bars] == [False, False, False, True]

    def test_a_changed_token_has_a_star_wherever_it_stands(self, figures):
        translation_step(at(3, changed=(1,)), cross(), 0, LINES)
        assert sum(t.get_text() == "★ t'" for t in page(figures[0]).texts) == 2  # its box, its row
        assert text(figures[0], "★ yours")
        translation_step(at(3), cross(), 0, LINES)
        assert not any("★" in t.get_text() for t in page(figures[1]).texts)

    def test_boxes_are_solid_thick_or_dashed(self, figures):
        translation_step(at(2), cross(), 0, LINES)
        chips = [patch for patch in page(figures[0]).patches if isinstance(patch, FancyBboxPatch)]
        assert [chip.get_linewidth() > 2 for chip in chips] == [False, False, True, False]
        assert [chip.get_linestyle() != "solid" for chip in chips] == [False, False, False, True]

    @pytest.mark.parametrize("kind", ["cross", "encoder", "decoder"])
    @pytest.mark.parametrize(("n_source", "n_tokens", "n_heads"), [(25, 30, 4), (1, 1, 1), (12, 13, 8)])
    def test_everything_lies_on_the_page_and_no_boxes_overlap(
        self, figures, kind, n_source, n_tokens, n_heads
    ):
        tokens, source = ["boulangères"] * n_tokens, ["immediately"] * n_source
        shape = {"cross": (n_tokens, n_source), "encoder": (n_source,) * 2, "decoder": (n_tokens,) * 2}[kind]
        maps = LayerMaps(kind, 11, np.full((n_heads, *shape), 0.123), source if kind != "decoder" else tokens)
        changed = range(n_tokens)
        step = DecodingStep(tokens, n_tokens // 2, changed, ["★ boulangères"] * 5, [0.1] * 5, 4, 30000)
        picture = translation_step(
            step, maps, n_heads - 1, {"English": " ".join(source), "Now": " ".join(tokens)}
        )
        assert picture.width <= 900
        figure = figures[0]
        figure.canvas.draw()
        for drawn in page(figure).texts:
            extent = drawn.get_window_extent()
            assert extent.x0 >= 0 <= extent.y0, drawn
            assert extent.x1 <= figure.bbox.x1, drawn
            assert extent.y1 <= figure.bbox.y1, drawn
        chips = [
            patch.get_window_extent() for patch in page(figure).patches if isinstance(patch, FancyBboxPatch)
        ]
        assert len(chips) == n_tokens
        assert max(chip.x1 for chip in chips) < figure.bbox.x1 - 10
        for one, other in pairwise(chips):
            assert one.x1 < other.x0 or other.y1 < one.y0  # beside it, or in the row below
        for chip, name in zip(
            chips, [t for t in page(figure).texts if t.get_text() == "★ boulangères"], strict=False
        ):
            assert chip.x0 <= name.get_window_extent().x0
            assert name.get_window_extent().x1 <= chip.x1

    def test_is_a_picture(self):
        picture = translation_step(at(1), cross(), 0, LINES)
        assert picture.png.startswith(b"\x89PNG")
