"""How a notebook's outputs are compared with what is stored: conftest.py at the top."""

import importlib.util
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import nbformat
import pytest

from course_lib.figures.palette import INK
from course_lib.figures.picture import draw

ROOT = Path(__file__).resolve().parents[1]
_spec = importlib.util.spec_from_file_location("course_outputs", ROOT / "conftest.py")
assert _spec
assert _spec.loader
outputs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(outputs)


@pytest.mark.parametrize(
    ("stored", "computed"),
    [
        ("bound = 2.23847", "bound = 2.23846"),
        ("dead = 2.91402e-16", "dead = 3.05825e-16"),
        ("0.46 and 12", "0.45 and 12"),
        ("loss 1e-05", "loss 1.0004e-05"),
        ("a  b\n", "a b"),
        ("10.5", "10.5"),
        ("colour #9e9999", "colour #9e9999"),
    ],
)
def test_rounding_makes_no_difference(stored, computed):
    assert outputs.alike(stored, computed)
    assert outputs.Output(stored) == computed


@pytest.mark.parametrize(
    ("stored", "computed"),
    [
        ("3 of 10 seeds", "4 of 10 seeds"),
        ("0.46", "0.44"),
        ("2.23847", "2.24147"),
        ("share = 0.5", "share = 1"),
        ("-0.46", "0.46"),
        ("3e-09", "3e-10"),
        ("London", "Paris"),
        ("London 1", "London"),
        ("1.5", "1.5 and more"),
    ],
)
def test_what_a_reader_would_see_does(stored, computed):
    assert not outputs.alike(stored, computed)
    assert outputs.Output(stored) != computed


def a_picture(x: float = 1.0, word: str = "seeds") -> str:
    def paint(figure):
        axes = figure.subplots()
        axes.plot([0, 1, 2], [0, x, 4], color=INK)
        axes.set_title(word)
        return "A line."

    return draw(4, 3, paint).html()


def test_a_picture_may_be_drawn_a_thousandth_of_a_pixel_further_and_no_pixel():
    assert a_picture(1.0004) != a_picture()
    assert outputs.alike(a_picture(1.0004), a_picture())
    assert not outputs.alike(a_picture(1.05), a_picture())
    assert not outputs.alike(a_picture(word="needs"), a_picture())


def test_what_is_drawn_without_an_address_is_compared_alike():
    def still(x):
        return f'<p>12</p><svg viewBox="0 0 9 9"><path d="M{x} 1"/></svg>'

    assert outputs.alike(still(106.4249274317), still(106.4249274318))
    assert not outputs.alike(still(106.4), still(107.1))
    coded = b64encode(still(1).encode()).decode()
    assert not outputs.alike(f"data:image/svg+xml;base64,{coded}", "data:image/svg+xml;base64,")


@pytest.mark.parametrize(("share", "passes"), [(0.123457, True), (0.2, False)])
def test_nbval_compares_so(tmp_path, share, passes):
    notebook = nbformat.v4.new_notebook()
    output = nbformat.v4.new_output("stream", name="stdout", text=f"share = {share}\n")
    source = 'print("share = 0.123456")'
    notebook.cells = [nbformat.v4.new_code_cell(source, outputs=[output], execution_count=1)]
    nbformat.write(notebook, tmp_path / "cell.ipynb")
    (tmp_path / "conftest.py").write_bytes((ROOT / "conftest.py").read_bytes())
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--nbval",
        "--nbval-current-env",
        "-q",
        "-p",
        "no:cacheprovider",
        ".",
    ]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (result.returncode == 0) == passes, result.stdout
