"""The writer in the page: its model is ours, its chances are softmax(z / T), and it draws by them."""

import re

import numpy as np
import pytest
import torch

from course_lib import functional
from course_lib.chapters.ch08_masking import language_model as lm
from course_lib.chapters.ch08_masking import trained_writer, writer
from course_lib.chapters.fit import seeded
from course_lib.figures.page import PageFigure, call
from course_lib.model import DecoderOnlyConfig, DecoderOnlyTransformer
from course_lib.special_ids import BOS_ID, EOS_ID

TEXTS = [
    f"{who} {verb}{what}."
    for who in ("Je", "Tu", "Il", "L’homme", "On")
    for verb in ("vois", "aime", "suis", "t’aime")
    for what in ("", " Paul", " Julie", " souvent")
]
NEVER = [0, 1, 3, 4, 5]  # as in the figure's source


@pytest.fixture(scope="module")
def sentences() -> lm.Sentences:
    return lm.from_texts(TEXTS)


@pytest.fixture(scope="module")
def models(sentences) -> dict[str, lm.LanguageModel]:
    given = {"with the mask": {}, "without the mask": {"masked": False}}
    found = {}
    for name, options in given.items():
        model, _ = lm.train(sentences.ids, len(sentences.tokeniser), range(40), **options)
        found[name] = model.half().float()  # as the page has it
    return found


@pytest.fixture(scope="module")
def figure(models, sentences) -> PageFigure:
    return writer(models, sentences.tokeniser.vocabulary)


@torch.no_grad()
def chances(model: torch.nn.Module, ids: list[int], temperature: float) -> np.ndarray:
    logits = model(torch.tensor([ids]))[0, -1].double().numpy()
    logits[NEVER] = -np.inf
    return functional.softmax(logits / temperature)


def told(figure: PageFigure) -> dict[str, float]:
    [bars] = re.findall(r"Word \d+: (.+); all", figure.alt)
    return {name: float(share) / 100 for name, share in re.findall(r"(\S+) ([\d.]+) %", bars)}


def ids_of(sentences: lm.Sentences, text: str) -> list[int]:
    return [BOS_ID, *sentences.tokeniser.encode(text)]


@pytest.mark.parametrize("temperature", [0.3, 1.0, 2.0])
@pytest.mark.parametrize("model", [0, 1])
@pytest.mark.parametrize("n_tokens", [0, 1, 3])  # of "L’homme t’aime."
@pytest.mark.share(3)
def test_the_chances_are_those_of_the_model_at_the_temperature(
    figure, models, sentences, temperature, model, n_tokens
):
    ids = ids_of(sentences, "L’homme t’aime.")[: n_tokens + 1]
    figure.state = {
        "model": str(model),
        "temperature": temperature,
        "given": ids[1:],
        "step": len(ids) - 1,
    }
    p = chances([*models.values()][model], ids, temperature)
    labels = [
        "(end)" if i == EOS_ID else t.replace("'", "’") for i, t in enumerate(sentences.tokeniser.vocabulary)
    ]
    shown = told(figure)
    assert len(shown) == 10
    best = {labels[i] for i in np.argsort(-p)[:9]}
    assert best <= set(shown)
    for name, share in shown.items():
        assert share == pytest.approx(p[labels.index(name)], abs=0.00151)
    [others] = re.findall(r"others ([\d.]+) %", figure.alt)
    assert 100 * sum(shown.values()) + float(others) == pytest.approx(100)


def test_cold_it_writes_what_the_library_writes(figure, models, sentences):
    for number, model in enumerate(models.values()):
        figure.state = {"model": str(number), "temperature": 0}
        written = lm.generate(model, torch.tensor([[BOS_ID]]))[0].tolist()
        expected = sentences.text(written)
        assert figure.title.endswith(f"‘{expected}’" if EOS_ID in written else f"‘{expected} …’")


def test_it_draws_words_by_their_chances(figure, models):
    p = chances(models["with the mask"], [BOS_ID], 1.0)
    n, counts = 60, {}
    for draw in range(n):
        state = {"temperature": 1.0, "draw": draw, "step": 0}
        alt = call("still", {**figure.given, "state": state})["alt"]
        [word] = re.findall(r"Chosen: (.+?)\.$", alt)
        counts[word] = counts.get(word, 0) + 1
    vocabulary = figure.given["props"]["vocabulary"]
    for word in ("Je", "Tu", "Il"):
        expected = p[vocabulary.index(word)]
        assert abs(counts.get(word, 0) / n - expected) < 4 * np.sqrt(expected * (1 - expected) / n)


def test_the_same_number_draws_the_same_and_a_chosen_word_is_written(figure, sentences):
    figure.state = {"temperature": 1.0, "draw": 3}
    first = figure.title
    figure.state = {"temperature": 1.0, "draw": 4}
    second = figure.title
    figure.state = {"temperature": 1.0, "draw": 3}
    assert figure.title == first
    assert first != second
    given = ids_of(sentences, "Tu aime")[1:]
    figure.state = {"temperature": 1.0, "draw": 3, "given": given, "step": 1}
    assert "‘Tu aime" in figure.title
    assert figure.alt.endswith("Chosen: aime, by you.")


def test_one_model_is_named_by_its_temperature(models, sentences):
    one = writer({"mine": models["with the mask"]}, sentences.tokeniser.vocabulary, temperature=0.5)
    assert one.title.startswith("At temperature 0.5 it writes: ‘")
    one.state = {"temperature": 0}
    assert one.title.startswith("Temperature 0 always takes the likeliest word: ‘")


def test_the_trained_ones_write_french_with_the_mask_and_repeat_themselves_without():
    known = lm.short_sentences()
    pairs = lm.known_pairs(known.ids, known.ids)
    assert pairs == 1
    opening = trained_writer(temperature=0.7, draw=3, step=3)
    opening.state = {"model": "1", "temperature": 0.7, "draw": 3, "step": 3}
    assert "‘" + "serveuse " * 8 in opening.title
    shown = trained_writer(temperature=0)
    assert shown.title.removeprefix("Trained with the mask, it writes: ‘").endswith(".’")
    je = known.tokeniser.encode("Je")
    shown.state = {"model": "1", "given": je, "temperature": 0}
    assert "‘Je Je" in shown.title
    shown.state = {"model": "0", "given": je, "temperature": 0}
    assert "‘Je Je" not in shown.title


def test_refuses_what_the_page_cannot_run(models, sentences):
    vocabulary = sentences.tokeniser.vocabulary
    with pytest.raises(ValueError, match="models is empty"):
        writer({}, vocabulary)
    with pytest.raises(ValueError, match="expected one head, 3 tokens"):
        writer(models, vocabulary[:3])
    with seeded(0):
        two_heads = DecoderOnlyTransformer(
            DecoderOnlyConfig(len(vocabulary), d_model=8, n_heads=2, d_ff=16, n_layers=1, tie="target")
        )
    with pytest.raises(ValueError, match=r"\[2\] heads"):
        writer({"two": two_heads}, vocabulary)
    other = lm.untrained(len(vocabulary), 0, n_layers=1)
    with pytest.raises(ValueError, match="different shapes"):
        writer({**models, "shallow": other}, vocabulary)
    with pytest.raises(ValueError, match="temperature is 3"):
        writer(models, vocabulary, temperature=3)
