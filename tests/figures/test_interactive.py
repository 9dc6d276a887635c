"""The interactive figures: they follow their controls, offer a picture, and leave nothing behind."""

import gc
import re

import ipywidgets
import pytest
from matplotlib.figure import Figure

from course_lib.figures.curves import lines
from course_lib.figures.interactive import InteractiveFigure, labelled_slider
from course_lib.figures.picture import Picture
from course_lib.figures.progress_bar import progress

VIEW = "application/vnd.jupyter.widget-view+json"


def sloped() -> InteractiveFigure:
    """A line whose slope a slider sets."""

    def draw(slope: float) -> Picture:
        return lines([0, 1], {"line": [0, slope]}, x_label="x", y_label="y")

    return InteractiveFigure(draw, {"slope": labelled_slider("Slope", 1.0, -3.0, 5.0, 0.25)})


def shown(figure: InteractiveFigure) -> dict[str, object]:
    """The picture on the page."""
    return figure.children[-1].picture


class TestInteractiveFigure:
    def draw_counted(self):
        drawn = []

        def draw(a, b):
            drawn.append((a, b))
            return Picture("<svg/>", f"a {a}, b {b}", 1, 1)

        controls = {"a": ipywidgets.IntSlider(value=1), "b": ipywidgets.IntSlider(value=2)}
        return InteractiveFigure(draw, controls), controls, drawn

    def test_draws_when_made_and_again_when_a_control_moves(self):
        figure, controls, drawn = self.draw_counted()
        controls["b"].value = 7
        assert drawn == [(1, 2), (1, 7)]
        assert figure.picture.alt == "a 1, b 7"
        assert shown(figure) == figure.picture.for_page()

    def test_set_moves_several_controls_and_draws_once(self):
        figure, controls, drawn = self.draw_counted()
        figure.set(a=3, b=4)
        assert drawn == [(1, 2), (3, 4)]
        controls["a"].value = 5  # and listens again afterwards
        assert drawn[-1] == (5, 4)

    def test_listens_again_when_set_fails(self):
        figure, controls, drawn = self.draw_counted()
        with pytest.raises(KeyError):
            figure.set(c=1)
        controls["a"].value = 5
        assert drawn[-1] == (5, 2)

    def test_shows_the_present_picture_with_its_words_and_the_live_view(self, monkeypatch):
        outputs = []
        monkeypatch.setattr(
            "course_lib.figures.interactive.display",
            lambda data, metadata=None, raw=False: outputs.append((data, metadata)),
        )
        figure = sloped()
        figure.controls["slope"].value = 0.0
        figure._ipython_display_()
        (still, metadata), (live, _) = outputs
        assert set(still) == {"text/html", "image/png", "text/plain"}
        assert still["text/plain"] == metadata["image/png"]["alt"] == figure.picture.alt
        assert "line: from 0 at 0 to 0 at 1" in figure.picture.alt
        assert figure.picture.html() in still["text/html"]
        assert list(live) == [VIEW]
        assert live[VIEW]["model_id"] == figure.model_id

    def test_keeps_no_matplotlib_figure_however_often_its_cell_runs(self):
        def alive():
            gc.collect()
            return sum(isinstance(thing, Figure) for thing in gc.get_objects())

        before = alive()
        for _ in range(3):
            figure = sloped()
            for value in (0.0, 2.0, 5.0):
                figure.controls["slope"].value = value
        assert alive() == before

    def test_two_of_them_do_not_disturb_each_other(self):
        first, second = sloped(), sloped()
        untouched = shown(second)
        first.controls["slope"].value = -3.0
        assert shown(second) == untouched != shown(first)

    def test_a_picture_does_not_wait_for_the_collection_of_garbage(self):
        collecting = []

        def draw(size: int) -> Picture:
            collecting.append(gc.isenabled())
            if size == 2:
                raise ValueError("no such picture")
            return lines([0, 1], {"size": [0, size]}, x_label="x", y_label="y")

        figure = InteractiveFigure(draw, {"size": labelled_slider("Size", 1, 1, 3, 1)})
        assert gc.isenabled()
        with pytest.raises(ValueError, match="no such picture"):
            figure.set(size=2)
        assert gc.isenabled()  # whatever happened
        assert collecting == [False, False]


class TestProgress:
    @pytest.fixture
    def bars(self, monkeypatch):
        made = []
        monkeypatch.setattr("course_lib.figures.progress_bar.display", made.append)
        return made

    def test_counts_and_ends_full(self, bars):
        assert list(progress(5, "Training")) == [0, 1, 2, 3, 4]
        (bar,) = bars
        assert 'value="1.000"' in bar.value
        assert re.search(r"Training: 5 steps \(\d+\.\d s\)$", bar.value)

    def test_stays_where_an_interrupt_left_it(self, bars):
        def interrupted():
            for step in progress(4, "Training"):
                if step == 3:
                    raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            interrupted()
        gc.collect()
        (bar,) = bars
        assert "Training: 4 steps, stopped at 3" in bar.value
        assert 'value="0.750"' in bar.value

    def test_moves_on_the_way_and_stores_nothing_that_differs_between_runs(self, bars, monkeypatch):
        monkeypatch.setattr("course_lib.figures.progress_bar.WHILE", -1)
        steps = progress(4, "a < b")
        next(steps), next(steps)
        (bar,) = bars
        assert 'value="0.250"' in bar.value
        assert "a &lt; b: 1 of 4, about 0 s left" in bar.value
        assert bar._repr_mimebundle_()["text/plain"] == repr(bar) == "a < b: 4 steps"

    def test_refuses_nothing_to_do(self):
        with pytest.raises(ValueError, match="n is 0"):
            next(progress(0, "Training"))
