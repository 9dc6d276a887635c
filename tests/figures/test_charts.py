"""The figures: what their text says, what their pixels show, and that they leave nothing behind."""

import base64
import gc
import os
import re
import subprocess
import sys
from io import BytesIO
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from PIL import Image

from course_lib import figures, functional
from course_lib.figures.bars import bars as bar_chart
from course_lib.figures.curves import lines
from course_lib.figures.heatmaps import Panel, _thinned, heatmap, heatmaps
from course_lib.figures.palette import (
    COLOURS,
    FORMULA,
    INK,
    LINE,
    NEGATIVE,
    PALETTE,
    PAPER,
    ROLES,
    WEIGHT,
    ink_on,
)
from course_lib.figures.picture import (
    NARROWEST,
    Picture,
    _relative,
    data_address,
    draw,
    draw_wide_and_narrow,
    fitted,
    number,
    paint_title,
    text_width,
)
from tests.support.contrast import contrast
from tests.support.pictures import faults_of_words, figures_kept

SIGHTS = [
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],  # everybody else
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
]
WORDS = ["The", "hearing", "is", "today"]
MODULES = {"bars", "curves", "heatmaps"}  # of charts that matplotlib draws


def pixels(picture: Picture) -> np.ndarray:
    """Red, green and blue from 0 to 1, (height, width, 3)."""
    return np.asarray(Image.open(BytesIO(picture.png)).convert("RGB")) / 255


def is_colour(image: np.ndarray, colour: str, tolerance: float = 0.08) -> np.ndarray:
    return np.abs(image - to_rgb(colour)).max(axis=-1) < tolerance


def oklab(linear: np.ndarray) -> np.ndarray:
    cones = [[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]]
    axes = [[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]]
    return np.cbrt(linear @ np.array(cones).T) @ np.array(axes).T


def hatched(figure: Figure) -> str:
    figure.add_artist(Rectangle((0.3, 0.3), 0.4, 0.4, facecolor=PAPER, edgecolor=INK, hatch="//"))
    return "A hatched square."


def every_figure() -> list[Picture]:
    return [
        heatmap(np.eye(4), WORDS, WORDS),
        heatmaps(Panel("a", np.eye(4), WORDS, WORDS), Panel("b", np.eye(4), WORDS, WORDS)),
        lines([1, 2, 4], {"y": [1, 2, 4]}, x_label="x", y_label="y", log="xy", fit=["y"]),
        bar_chart(["near", "far"], {"GRU": [1, 2]}, y_label="accuracy"),
        draw(1, 1, hatched),
    ]


class TestPicture:
    def test_offers_html_png_and_words_and_every_form_carries_the_words(self):
        picture = heatmap([[1.0]], ["q"], ["k"])
        data, metadata = picture._repr_mimebundle_()
        assert set(data) == {"text/html", "image/png", "text/plain"}
        assert data["text/plain"] == metadata["image/png"]["alt"] == picture.alt
        assert base64.b64encode(picture.svg.encode()).decode() in data["text/html"]
        assert base64.b64decode(data["image/png"]) == picture.png

    def test_words_cannot_break_out_of_the_alt_attribute(self):
        html = Picture("<svg/>", '"><script>alert(1)</script>', 1, 1).html()
        assert re.findall(r"<\w+", html) == ["<style", "<img"]
        assert html.count('"') % 2 == 0
        assert "&quot;&gt;&lt;script" in html

    @pytest.mark.share(2)
    def test_has_twice_the_pixels_of_its_size_on_the_page(self):
        for picture in every_figure():
            height, width, _ = pixels(picture).shape
            assert abs(width - 2 * picture.width) <= 2
            assert abs(height - 2 * picture.height) <= 2

    @pytest.mark.share(2)
    def test_is_opaque_paper(self):
        for picture in every_figure():
            assert Image.open(BytesIO(picture.png)).mode in ("P", "RGB")
            assert "transparency" not in Image.open(BytesIO(picture.png)).info
            corners = pixels(picture)[[0, 0, -1, -1], [0, -1, 0, -1]]
            assert is_colour(corners, PAPER, 0.02).all()
            assert "<path" in picture.svg
            first = picture.svg.index("<path")
            assert 'style="fill:var(--paper)"' in picture.svg[first : first + 150]  # whatever page it is on

    def test_every_colour_is_a_role_and_has_a_dark_form(self):
        for picture in every_figure():
            style, drawing = re.fullmatch(r"<svg.*?<style>(.*?)</style>(.*)", picture.svg).groups()
            assert not re.search(r"#[0-9a-f]{3,8}\b", drawing)
            light, dark = re.fullmatch(
                r"svg\{(.*?)\}@media\(prefers-color-scheme:dark\)\{svg\{(.*?)\}\}.*", style
            ).groups()
            for scheme, declared in (("light", light), ("dark", dark)):
                colours = dict(re.findall(r"--([\w-]+):(#[0-9a-f]{6});", declared))
                assert set(colours) >= set(re.findall(r"var\(--([\w-]+)\)", drawing))
                assert colours == {role: PALETTE[scheme][role] for role in colours}

    def test_a_colour_without_a_dark_form_is_refused(self):
        with pytest.raises(ValueError, match="colour #ff0000: expected one of the palette's"):
            draw(1, 1, lambda figure: figure.text(0, 0, "x", color="red").get_text())

    def test_its_svg_is_a_document_of_its_own(self):
        for picture in every_figure():
            root = ElementTree.fromstring(picture.svg)
            ids = [element.get("id") for element in root.iter() if element.get("id")]
            referred = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', picture.svg)
            assert len(ids) == len(set(ids))
            assert {first or second for first, second in referred} == set(ids)
            assert not re.findall(r'(?:href|src)="(?!#|data:image/png)', picture.svg)

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("colour", [WEIGHT, NEGATIVE])
    def test_digits_stand_out_from_every_colour_of_a_map(self, scheme, colour):
        of = {role: np.array(to_rgb(c)) for role, c in PALETTE[scheme].items()}
        for share in np.linspace(0, 1, 256):
            cell = share * of[ROLES[colour]] + (1 - share) * of["paper"]
            assert contrast(cell, of[ROLES[ink_on(colour, share)]]) >= 4.5


class TestHeatmaps:
    @settings(max_examples=15, deadline=None)
    @given(st.integers(1, 6), st.integers(2, 12), st.integers(0, 2**32 - 1))
    @pytest.mark.share(2)
    def test_the_text_names_the_largest_entry_of_each_row(self, n_rows, n_columns, seed):
        weights = functional.softmax(3 * np.random.default_rng(seed).standard_normal((n_rows, n_columns)))
        rows, columns = [f"q{i}" for i in range(n_rows)], [f"k{j}" for j in range(n_columns)]
        alt = heatmap(weights, rows, columns).alt
        told = re.findall(r"Row '(q\d+)': largest weight ([\d.]+) on '(k\d+)'\.", alt)
        assert [row for row, _, _ in told] == rows
        assert [column for _, _, column in told] == [columns[j] for j in weights.argmax(axis=1)]
        np.testing.assert_allclose([float(x) for _, x, _ in told], weights.max(axis=1), atol=0.005)

    def test_the_text_names_ties_masked_entries_and_rows_without_any(self):
        scores = [[2, 2, 0], [1, -np.inf, np.nan], [-np.inf] * 3, [5, 5, 5]]
        alt = heatmap(scores, list("abcd"), list("xyz"), quantity="score").alt
        assert "Row 'a': largest score 2 on 'x' and 'y'." in alt
        assert "Row 'b': largest score 1 on 'x', 2 hatched (not finite)." in alt
        assert "Row 'c': no finite score." in alt
        assert "Row 'd': largest score 5 on all alike." in alt

    def test_a_long_map_is_described_in_part_and_says_so(self):
        alt = heatmap(np.eye(15), list("abcdefghijklmno"), list("abcdefghijklmno")).alt
        assert alt.count("Row '") == 12
        assert alt.endswith("3 further rows are not described.")

    @pytest.mark.parametrize(("row", "column"), [(0, 3), (2, 0)])
    def test_queries_are_drawn_as_rows_and_keys_as_columns(self, row, column):
        weights = np.zeros((3, 4))
        weights[row, column] = 1
        image = pixels(heatmap(weights, ["q", "r", "s"], WORDS))
        map_area = image[:, : int(image.shape[1] * 0.8)]  # without the colour bar
        frame = is_colour(map_area, LINE, 0.1)
        rows, columns = (np.flatnonzero(frame.sum(axis=i) > 0.4 * frame.shape[i]) for i in (1, 0))
        centre = np.argwhere(is_colour(map_area, WEIGHT)).mean(axis=0)
        where = [(c - ends.min()) / np.ptp(ends) for c, ends in zip(centre, (rows, columns), strict=True)]
        np.testing.assert_allclose(where, [(row + 0.5) / 3, (column + 0.5) / 4], atol=0.03)

    def test_weights_keep_the_scale_from_0_to_1_and_scores_take_their_own(self):
        bar = 0.02  # of the picture: what the colour bar alone may hold
        weights = heatmap([[0.2, 0.3]], ["q"], ["a", "b"])
        scores = heatmap([[0.2, 0.3]], ["q"], ["a", "b"], quantity="score")
        assert is_colour(pixels(weights), WEIGHT).mean() < bar < is_colour(pixels(scores), WEIGHT).mean()

    def test_panels_share_one_scale(self):
        panels = [Panel(t, [[top, 0]], ["q"], ["a", "b"]) for t, top in (("low", 1), ("high", 4))]
        image = is_colour(pixels(heatmaps(*panels, quantity="score")), WEIGHT)
        half = image.shape[1] // 2
        assert image[:, :half].mean() < 0.001 < image[:, half:].mean()

    def test_words_with_dollars_are_words_and_not_formulas(self):
        assert "'$x^$'" in heatmap([[1.0]], ["q"], ["$x^$"]).alt

    def test_a_map_without_any_finite_entry_can_be_drawn(self):
        assert "no finite score" in heatmap([[np.nan]], ["q"], ["k"], quantity="score").alt

    @pytest.mark.parametrize("matrix", [[1.0, 2.0], [[1.0]], [[1.0, 2.0, 3.0]], [[[1.0, 2.0]]]])
    def test_refuses_words_that_do_not_fit(self, matrix):
        with pytest.raises(ValueError, match=r"matrix \(.*\) of panel 'T': expected one row"):
            heatmap(matrix, ["q"], ["a", "b"], title="T")

    def test_refuses_no_panel(self):
        with pytest.raises(ValueError, match="at least one Panel"):
            heatmaps()


class TestLines:
    @settings(max_examples=5, deadline=None)
    @given(st.floats(-3, 3), st.floats(0.01, 100))
    def test_the_slope_of_a_power_law_is_its_exponent(self, exponent, factor):
        x = np.array([4.0, 16, 64, 256])
        alt = lines(x, {"y": factor * x**exponent}, x_label="x", y_label="y", log="xy", fit=["y"]).alt
        (slope,) = re.findall(r"slope (−?[\d.]+) on", alt)
        assert float(slope.replace("−", "-")) == pytest.approx(exponent, abs=0.0051)

    def test_the_fit_begins_where_it_is_told(self):
        x = np.array([1.0, 2, 4, 8, 16])
        bent = {"y": np.where(x < 4, 7.0, x**2)}
        labels = {"x_label": "x", "y_label": "y", "log": "xy", "fit": ["y"]}
        assert "slope 2 on" in lines(x, bent, fit_from=4, **labels).alt
        assert "slope 2 on" not in lines(x, bent, **labels).alt

    def test_has_a_form_for_narrow_pages_that_names_all_curves_and_says_the_same(self):
        wide = lines([1, 2], {"GRU": [1, 2], "LSTM": [2, 1]}, x_label="x", y_label="y", levels={"coin": 1.5})
        assert wide.narrow is not None
        assert (wide.narrow.width, wide.narrow.alt) == (340, wide.alt)
        assert f'srcset="{data_address(wide.narrow.svg)}"' in wide.html()

    @pytest.mark.filterwarnings("error")
    def test_a_curve_that_is_level_up_to_noise_is_drawn_without_a_warning(self):
        noisy = {"y": [51.19412356089764] * 4}  # the fitted line differs in the last digit
        assert (
            "slope 0 on" in lines([4, 16, 64, 256], noisy, x_label="x", y_label="y", log="xy", fit=["y"]).alt
        )

    def test_the_text_names_ends_and_extremes_between_them(self):
        alt = lines([1, 2, 3], {"hill": [1, 5, 2], "flat": [3, 3, 3]}, x_label="t", y_label="height").alt
        assert (
            alt
            == "Curves of height against t. hill: from 1 at 1 to 2 at 3, highest 5 at 2. flat: from 3 at 1 to 3 at 3."
        )

    def test_points_that_are_not_finite_are_left_out(self):
        alt = lines([1, 2, 3], {"a": [np.nan, 4, 5], "b": [np.nan] * 3}, x_label="t", y_label="y").alt
        assert "a: from 4 at 2 to 5 at 3." in alt
        assert "b: no finite point." in alt

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"series": {"y": [1, 2, 3]}}, r"series 'y' \(3,\): expected the shape of x \(2,\)"),
            ({"log": "x"}, "needs log='xy'"),
            ({"fit": ["z"]}, r"fit names 'z': expected one of \['y'\]"),
            ({"fit_from": 2}, "1 positive points with x ≥ 2"),
        ],
    )
    def test_refuses_what_cannot_be_drawn_or_fitted(self, change, message):
        arguments = {"x": [1, 2], "series": {"y": [1, 2]}, "log": "xy", "fit": ["y"]}
        with pytest.raises(ValueError, match=message):
            lines(**{**arguments, **change}, x_label="x", y_label="y")


class TestSeedsAndLevels:
    RUNS = np.array([[0.2, 0.4, 0.9], [0.6, 0.5, 0.7], [0.1, 0.8, 0.8]])

    def test_of_several_seeds_the_text_gives_the_median(self):
        curve = lines([1, 2, 3], {"GRU": self.RUNS}, x_label="t", y_label="y").alt
        assert "GRU (median of 3 seeds): from 0.2 at 1 to 0.8 at 3." in curve
        bar = bar_chart(["a", "b", "c"], {"GRU": self.RUNS}, y_label="y").alt
        assert bar == "Bars of y. GRU (median of 3 seeds): a 0.2, b 0.5, c 0.8."

    def test_the_band_reaches_from_the_smallest_to_the_largest_seed(self):
        def coloured_rows(runs):
            picture = lines([1, 2], {"a": runs}, x_label="t", y_label="y", levels={"": 0, " ": 1})
            middle = pixels(picture)[:, round(192 * 7.2 / 2)]
            return np.flatnonzero(middle[:, 2] - middle[:, 0] > 0.07)  # bluish, more than a level is

        narrow = coloured_rows([[0.45] * 2, [0.5] * 2, [0.55] * 2])
        wide = coloured_rows([[0.2] * 2, [0.5] * 2, [0.8] * 2])
        assert np.ptp(wide) == pytest.approx(6 * np.ptp(narrow), rel=0.05)

    @pytest.mark.share(2)
    def test_each_pale_band_keeps_the_colour_of_its_curve(self):
        rng = np.random.default_rng(0)
        series = {str(i): 3 * i + np.cumsum(rng.random((5, 20)), axis=1) for i in range(6)}
        image = pixels(lines(range(20), series, x_label="x", y_label="y"))
        shades, counts = np.unique(image.reshape(-1, 3), axis=0, return_counts=True)
        shades = shades[counts > 1000]  # what areas are filled with
        bands = 0.15 * np.array([to_rgb(colour) for colour in COLOURS]) + 0.85 * np.array(to_rgb(PAPER))
        distances = np.abs(shades[None] - bands[:, None]).max(axis=-1)  # (6, n_shades)
        assert distances.min(axis=1).max() < 0.03
        found = set(distances.argmin(axis=1))
        assert len(found) == 6

    def test_bars_are_as_high_as_their_numbers(self):
        image = pixels(bar_chart(["a", "b"], {"GRU": [0.25, 1.0]}, y_label="y"))
        heights = is_colour(image, COLOURS[0]).sum(axis=0)
        first, second = heights[: len(heights) // 2].max(), heights[len(heights) // 2 :].max()
        assert second == pytest.approx(4 * first, rel=0.02)

    def test_spans_are_shaded_named_and_told(self):
        plain, shaded = (
            lines([0, 4], {"a": [1, 2]}, x_label="x", y_label="y", spans=spans)
            for spans in (None, {"training": (0, 2)})
        )
        assert shaded.alt == plain.alt + " training: shaded from 0 to 2."
        changed = (pixels(plain) != pixels(shaded)).any(axis=-1).mean(axis=0) > 0.5  # columns of pixels
        assert 0.2 < changed.mean() < 0.6

    def test_levels_are_named_in_the_figure_and_in_the_text(self):
        level = {"levels": {"chance": 0.25}}
        for picture in (
            lines([1, 2], {"a": [0, 1]}, x_label="t", y_label="y", **level),
            bar_chart(["a"], {"b": [1]}, y_label="y", title="How good?", **level),
        ):
            assert picture.alt.endswith("Level chance: 0.25.")
        assert picture.alt.startswith("How good? Bars of y.")

    @pytest.mark.parametrize("n", [1, 3, 10])
    def test_the_name_of_a_level_hides_nothing_of_a_bar(self, n):
        blue = [
            is_colour(
                pixels(bar_chart(list("abcdefghij"[:n]), {"a": [1] * n}, y_label="y", levels=level)),
                COLOURS[0],
            )
            for level in ({"chance of a coin": 0.5}, {" " * 16: 0.5})
        ]
        assert (blue[0] == blue[1]).all()

    @pytest.mark.parametrize(
        "series", [{}, {"a": [1, 2, 3]}, {"a": np.ones((2, 2, 2))}, {"a": np.ones((0, 2))}]
    )
    def test_refuses_bars_without_a_group(self, series):
        with pytest.raises(ValueError, match="series"):
            bar_chart(["x", "y"], series, y_label="y")


LONG = "Without the top word a third of the past is lost, without another word only little of it"
SENTENCE = ["The", "tired", "girl", "does", "not", "see", "the", "old", "black", "dogs", ".", "</s>"]
RNG = np.random.default_rng(0)


def chart(form, *given, title=LONG):
    """Draw one of the forms below."""
    if form == "heatmap":
        rows, columns, quantity = given
        axes = ("position of the query", "keys")
        shares = functional.softmax(2 * RNG.standard_normal((len(rows), len(columns))))
        return heatmap(shares, rows, columns, title=title, quantity=quantity, axes=axes)
    if form == "heatmaps":
        words, n = given
        return heatmaps(*(Panel(f"{i}: {title}", np.eye(len(words)), words, words) for i in range(n)))
    if form == "bars":
        groups, n, levels = given
        runs = {f"series {i} of a model whose name is long": RNG.random((3, len(groups))) for i in range(n)}
        label = "sentences of the test set that have this fault (%)"
        return bar_chart(groups, runs, y_label=label, title=title, levels=levels)
    (x, log) = given
    return lines(
        x,
        {"attention": np.square(x), "a recurrent network whose name needs two lines": np.array(x) + 7},
        x_label="words between the subject and its verb, in the test",
        y_label="multiply–adds of one layer, in a whole model",
        title=title,
        log=log,
        fit=["attention"] if log == "xy" else (),
        levels={"one second": 5.0},
    )


FORMS = {
    "map": ("heatmap", WORDS[:3] * 2, WORDS, "weight"),
    "map of a sentence": ("heatmap", SENTENCE, SENTENCE, "alignment error"),
    "map with long words": ("heatmap", ["attention", "a rather long name of a row"], SENTENCE[:8], "change"),
    "map of a hundred": ("heatmap", [*map(str, range(100))], [*map(str, range(100))], "weight"),
    "two maps": ("heatmaps", WORDS, 2),
    "three maps": ("heatmaps", [str(i) for i in range(8)], 3),
    "bars": ("bars", ["1–6 words back", "7–12 words back"], 3, {"guessing": 0.5, "one of two": 0.6}),
    "one series": ("bars", ["a", "b", "c"], 1, None),
    "many bars": ("bars", [f"no positions {i}" for i in range(8)], 2, None),
    "curves": ("lines", [0, 1, 2, 5, 10, 15, 20, 30, 40], ""),
    "curves over powers of two": ("lines", 2 ** np.arange(4, 15), "xy"),
    "curves over uneven ticks": ("lines", [1, 2, 5, 10, 15, 20, 30, 40], "x"),
}


class TestNarrowForms:
    def test_every_chart_is_tried(self):
        charts = {
            name
            for name in figures.__all__
            if getattr(figures, name).__module__.rpartition(".")[2] in MODULES
        }
        assert charts - {"Panel"} == {form for form, *_ in FORMS.values()}

    @pytest.mark.parametrize("title", [LONG, ""])
    @pytest.mark.parametrize("form", FORMS)
    @pytest.mark.share(3)
    def test_says_the_same_as_wide_and_no_word_is_cut_off_or_covered_or_small(self, form, title):
        with figures_kept() as kept:
            wide = chart(*FORMS[form], title=title)
        assert wide.narrow is not None
        assert (wide.narrow.width, wide.narrow.alt) == (NARROWEST, wide.alt)
        assert "overflow-x" not in wide.html()
        _, narrow = kept
        assert faults_of_words(narrow) == []
        sizes = {text.get_fontsize() for text in narrow.findobj(Text) if text.get_text()}
        assert min(sizes) >= 9  # of numbers at bars, if there are many; else 10 or 11

    @pytest.mark.share(2)
    def test_maps_stand_under_one_another_and_are_as_wide_as_each_other(self):
        with figures_kept() as kept:
            chart(*FORMS["three maps"])
        boxes = [axis.get_position() for axis in kept[1].axes[:3]]
        assert boxes[0].y0 > boxes[1].y1 > boxes[1].y0 > boxes[2].y1
        np.testing.assert_allclose([box.width for box in boxes], boxes[0].width, atol=0.01)

    def test_a_map_whose_words_have_no_room_is_scrolled_instead(self):
        wide = chart("heatmap", SENTENCE, (2 * SENTENCE)[:20], "weight")
        assert wide.narrow is None
        assert "overflow-x: auto" in wide.html()

    def test_numbers_of_cells_lose_a_decimal_before_they_are_left_out(self):
        def written(n):
            with figures_kept() as kept:
                heatmap([[-0.26] * n, [0] * n], ["a", "b"], [*map(str, range(n))], quantity="φ")
            return {text.get_text() for text in kept[1].axes[0].texts}

        assert (written(5), written(8)) == ({"−0.26"}, {"−0.3"})

    def test_a_picture_that_a_phone_can_show_has_no_other_form(self):
        assert heatmap(np.eye(2), WORDS[:2], WORDS[:2]).narrow is None

    def test_titles_are_broken_to_the_width_of_their_picture(self):
        def paint(figure, narrow):
            figure.subplots()
            paint_title(figure, LONG)
            return ""

        with figures_kept() as kept:
            draw_wide_and_narrow(5, 3, 3, paint)
        assert [faults_of_words(figure) for figure in kept] == [[], []]
        lines = [figure.get_suptitle().split("\n") for figure in kept]
        assert len(lines[0][0]) > len(lines[1][0])
        assert [" ".join(each) for each in lines] == [LONG, LONG]

    @given(st.text("abc -", max_size=40), st.floats(0.1, 3))
    def test_words_are_broken_and_none_is_lost(self, words, inches):
        found = fitted(words, inches)
        assert " ".join(found) == words
        assert all(text_width(line) <= inches or " " not in line.strip() for line in found)

    @given(
        st.lists(
            st.tuples(
                st.sampled_from("MLQC"), st.lists(st.integers(-99_999, 99_999), min_size=6, max_size=6)
            ),
            min_size=1,
        )
    )
    def test_a_path_written_by_its_steps_is_the_same_path(self, found):
        size = {"M": 2, "L": 2, "Q": 4, "C": 6}
        parts = [("M", found[0][1]), *found[1:]]
        parts = [(command, [n / 100 for n in numbers[: size[command]]]) for command, numbers in parts]
        path = "".join(f"{command} {' '.join(map(str, numbers))} " for command, numbers in parts)
        here, points = np.zeros(2), []
        for command, words in re.findall(r"([MmLlQqCc])([^a-zA-Z]*)", _relative(path, 0.01)):
            steps = np.array(re.findall(r"-?(?:\d+\.?\d*|\.\d+)", words), dtype=float).reshape(-1, 2)
            points.append((command.upper(), (here + steps).ravel()))
            here = here + steps[-1]
        assert [command for command, _ in points] == [command for command, _ in parts]
        for (_, numbers), (_, expected) in zip(points, parts, strict=True):
            np.testing.assert_allclose(numbers, expected, atol=1e-6)

    def test_the_helper_sees_words_that_are_cut_off_or_covered(self):
        figure = Figure(figsize=(2, 1))
        figure.text(0.1, 0.5, "one")
        figure.text(0.15, 0.5, "two")
        figure.text(0.8, 0.1, "a long word")
        figure.text(0.1, 0.1, "turned", rotation=40)
        assert faults_of_words(figure) == ["cut off: 'a long word'", "'one' and 'two' overlap"]


class TestLargeAndSignedMaps:
    def test_zero_has_the_middle_colour_and_the_signs_differ(self):
        words = ["a"]
        image = pixels(heatmap([[-1.0, 0.0, 3.0]], words, list("xyz"), quantity="φ", centred=True))
        row = image[int(image.shape[0] * 0.25)]
        assert is_colour(row[None], PAPER, 0.02).any()
        assert (row[:, 2] - row[:, 0] > 0.1).any()  # blue: below zero
        assert (row[:, 0] - row[:, 2] > 0.1).any()  # crimson: above

    def test_the_text_gives_the_range_and_does_not_list_what_is_alike(self):
        words = [str(i) for i in range(30)]
        entries = np.tile([0.0, 1.0], 15)[None] * np.ones((30, 1))
        alt = heatmap(entries, words, words, quantity="φ", centred=True).alt
        assert "Entries from 0 to 1." in alt
        assert "largest φ 1 on 15 of 30 alike." in alt

    @pytest.mark.parametrize("n", [24, 60, 512])
    def test_a_large_map_stays_on_the_page_and_writes_few_of_its_words(self, n):
        words = [str(i) for i in range(n)]
        picture = heatmap(np.zeros((n, n)), words, words)
        assert picture.width < 1000
        assert picture.height < 700
        shown = _thinned(words, 24)
        assert len(shown[0]) == len(shown[1]) <= 24
        assert [words[i] for i in shown[0]] == shown[1]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.644, "0.64"),
        (2.0, "2"),
        (-1.5, "−1.5"),
        (-0.001, "0"),
        (100.0, "100"),
        (np.inf, "∞"),
        (np.nan, "NaN"),
    ],
)
def test_numbers_are_as_short_as_they_can_be_read(value, written):
    assert number(value) == written


@pytest.mark.parametrize("scheme", ["light", "dark"])
class TestPalette:
    def test_texts_and_lines_stand_out_from_paper(self, scheme):
        """WCAG 2 asks for 4.5 where it is text, and for 3 where a line or an area tells something."""
        of = PALETTE[scheme]
        ratios = {
            role: contrast(np.array(to_rgb(c)), np.array(to_rgb(of["paper"]))) for role, c in of.items()
        }
        written = ["quiet", "query", "key", "value", "output", "encoder", "decoder", "weight"]
        assert ratios["ink"] > 7
        assert min(ratios[role] for role in [*written, "series-1", "series-2"]) >= 4.5
        assert min(ratios[role] for role in ["faint", *(f"series-{i}" for i in range(1, 7))]) >= 3

    def test_formulas_stand_out_from_paper_of_either_kind(self, scheme):
        paper = np.array(to_rgb(PALETTE[scheme]["paper"]))
        assert min(contrast(np.array(to_rgb(colour)), paper) for colour in FORMULA.values()) >= 4.2

    def test_series_are_told_apart_by_whoever_sees_no_red_no_green_or_no_blue(self, scheme):
        """Distances in OKLab, as dichromats see it (Machado et al. 2009); those of Okabe and Ito are from 0.05 on."""
        series = np.array([to_rgb(PALETTE[scheme][f"series-{i}"]) for i in range(1, 7)])
        linear = np.where(series <= 0.04045, series / 12.92, ((series + 0.055) / 1.055) ** 2.4)
        for sight in SIGHTS:
            seen = oklab((linear @ np.array(sight).T).clip(0, 1))
            apart = np.linalg.norm(seen[:, None] - seen, axis=-1)[np.triu_indices(6, 1)]
            assert apart.min() > 0.08

    def test_a_weight_is_told_apart_from_whatever_has_a_role(self, scheme):
        roles = ["weight", "query", "key", "value", "output", "encoder", "decoder", "quiet", "ink"]
        rgb = np.array([to_rgb(PALETTE[scheme][role]) for role in roles])
        seen = oklab(np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4))
        apart = dict(zip(roles[1:], np.linalg.norm(seen[1:] - seen[0], axis=-1), strict=True))
        assert min(apart.values()) > 0.13, apart

    def test_a_light_colour_names_one_dark_colour(self, scheme):
        for role, colour in PALETTE["light"].items():
            assert PALETTE["dark"][role] == PALETTE["dark"][ROLES[colour]]


class TestManners:
    def test_needs_no_display_and_never_loads_pyplot(self):
        code = (
            "import sys; from course_lib import figures; figures.heatmap([[1.0]], ['q'], ['k']);"
            "sys.exit('matplotlib.pyplot' in sys.modules)"
        )
        environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        environment["MPLBACKEND"] = "tkagg"
        subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=120)

    @pytest.mark.share(2)
    def test_leaves_the_readers_settings_alone_and_does_not_heed_them(self):
        plain = every_figure()
        theirs = {"figure.facecolor": "black", "text.color": "white", "font.size": 30, "axes.grid": True}
        with matplotlib.rc_context(theirs):
            before = dict(matplotlib.rcParams)
            drawn = every_figure()
            with pytest.raises(ValueError, match="matrix"):
                heatmap([1.0], ["q"], ["k"])
            assert dict(matplotlib.rcParams) == before
        assert [picture.png for picture in drawn] == [picture.png for picture in plain]

    def test_settings_come_back_when_drawing_fails(self):
        def paint(figure):
            raise RuntimeError("broken")

        before = dict(matplotlib.rcParams)
        with pytest.raises(RuntimeError, match="broken"):
            draw(1, 1, paint)
        assert dict(matplotlib.rcParams) == before

    def test_keeps_no_figure(self):
        def alive():
            gc.collect()
            return sum(isinstance(thing, Figure) for thing in gc.get_objects())

        before = alive()
        pictures = [picture for picture in every_figure()]
        assert pictures
        assert alive() == before
