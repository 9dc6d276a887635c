"""The smallest layer that writes texts backwards: what is right is accepted, and what is not is told."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from course_lib.exercises import smallest
from course_lib.exercises.hints import Hint
from tests.support.smallest import one_hot, small


@pytest.mark.parametrize(("tables", "size"), [(one_hot(), 276), (small(), 72)])
def test_right_layers_are_counted(tables, size: int, capsys: pytest.CaptureFixture[str]) -> None:
    smallest.enter(tables)
    assert capsys.readouterr().out == (
        f"All 4,096 texts come out backwards. Your layer has {size} numbers.\n"
    )


def test_the_layer_is_pytorch_s_attention() -> None:
    rng = np.random.default_rng(0)
    tables = {
        name: rng.normal(size=shape)
        for name, shape in {
            "letters": (4, 3),
            "positions": (6, 3),
            "W_Q": (3, 5),
            "W_K": (3, 5),
            "W_V": (3, 2),
            "U": (2, 4),
        }.items()
    }
    texts = smallest.all_texts()[rng.integers(0, 4096, 50)]
    scores, weights = smallest.layer(tables, texts)
    t = {name: torch.tensor(table) for name, table in tables.items()}
    x = t["letters"][torch.tensor(texts)] + t["positions"]
    theirs = F.scaled_dot_product_attention(x @ t["W_Q"], x @ t["W_K"], x @ t["W_V"]) @ t["U"]
    np.testing.assert_allclose(scores, theirs.numpy(), atol=1e-12)
    np.testing.assert_allclose(weights.sum(axis=-1), 1)


def test_all_texts_are_there_once() -> None:
    texts = smallest.all_texts()
    assert texts.shape == (4**6, 6)
    assert len({tuple(text) for text in texts}) == len(texts)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: t | {"positions": 0 * t["positions"]}, "texts come out backwards|two letters"),
        (lambda t: t | {"W_Q": -t["W_Q"]}, "texts come out backwards"),
        (lambda t: t | {"U": 0 * t["U"]}, "two letters have the same score"),
        (lambda t: t | {"W_V": t["W_V"][:, :1]}, r"U has shape \(2, 4\) instead of \(d_v, 4\).*d_v = 1"),
        (lambda t: t | {"letters": t["letters"][:3]}, r"letters has shape \(3, 4\) instead of \(4, d\)"),
        (lambda t: t | {"letters": t["letters"] * np.nan}, "letters holds what is no finite number"),
        (lambda t: t | {"letters": "abcd"}, "letters is no table of numbers"),
        (lambda t: t | {"bias": np.zeros((1, 4))}, "bias: no table of this layer"),
        (lambda t: {name: t[name] for name in t if name != "U"}, "U is missing"),
        (lambda t: t | {"W_Q": np.zeros((4, 65))}, "it needs two axes of 1 to 64 entries"),
        (
            lambda t: t | {"W_Q": 1e300 * t["W_Q"], "W_K": 1e300 * t["W_K"]},
            "For aaaaaa the scores .* no finite numbers",
        ),
    ],
)
def test_what_is_not_right_is_told(change, said: str) -> None:
    with pytest.raises(Hint, match=said):
        smallest.enter(change(small()))


def test_a_layer_that_is_wrong_for_one_letter_alone_is_found() -> None:
    """Wherever a text has an "a", its key now draws all weight; texts without it still come out right."""
    tables = small()
    tables["W_K"][0] = [0.0, 40.0]
    with pytest.raises(Hint, match=r"^\d[\d,]* of 4,096 texts come out backwards\. [abcd]{6} comes out as"):
        smallest.enter(tables)


def test_without_a_nickname_nothing_is_written(tmp_path: Path) -> None:
    smallest.enter(small(), folder=tmp_path)
    assert not list(tmp_path.iterdir())


def test_what_is_written_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    smallest.enter(small(), " Blue  cat ", tmp_path)
    assert "as 'Blue cat'" in capsys.readouterr().out
    entry = smallest.entry((tmp_path / smallest.FILE).read_text(encoding="utf-8"))
    assert (entry.nickname, entry.size) == ("Blue cat", 72)
    assert set(json.loads((tmp_path / smallest.FILE).read_text())) == {
        "nickname",
        "tables",
    }  # and nobody's name


@pytest.mark.parametrize("nickname", [7, "   ", "x" * 25, ["Ada"]])
def test_what_is_no_nickname(nickname, tmp_path: Path) -> None:
    with pytest.raises(Hint, match="a nickname"):
        smallest.enter(small(), nickname, tmp_path)
    assert not list(tmp_path.iterdir())
