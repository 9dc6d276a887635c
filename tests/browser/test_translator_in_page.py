"""The translator of a static page, in Chromium and without a network: it computes what Python computes."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page, expect

from course_lib.figures.page import call
from course_lib.figures.page.translator import MAX_LENGTH, MOST_TOKENS, TranslatorFigure, answer
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.embedded import load_embedded
from course_lib.text.tokenisers import BPETokeniser, WordTokeniser
from course_lib.text.typography import normalise, typeset_french
from course_lib.translator import Translator
from tests.support.editions import ROOT
from tests.support.lab import chromium

pytestmark = pytest.mark.share(3)

CHECKPOINT = ROOT / "results" / "embedded" / "transformer-0.safetensors"
NEAR_TIE = 1e-5
SENTENCES = [pair.source for pair in load_embedded("test")]
SOME = [
    "The red car is in front of the white house.",
    "The cat that the dog chased is small.",
    "Zorglub?",
    "a",
]
FORCED = """
([source, read]) => {
  const { memory, weights } = translator.model.encode(source);
  const next = translator.model.decode(memory);
  const steps = read.map(id => next(id));
  const rows = (kind) =>
    steps[0][kind].map((heads, l) => heads.map((_, h) => steps.map(s => Array.from(s[kind][l][h]))));
  return { logits: steps.map(s => Array.from(s.logits)), decoder: rows("decoder"), cross: rows("cross"),
           encoder: weights.map(heads => heads.map(rows => rows.map(row => Array.from(row)))) };
}
"""
TOKENISED = """
texts => texts.map(text => {
  const ids = translator.source.encode(text);
  const { normalise, typesetFrench } = courseFigures.translator;
  return { normal: normalise(text), pieces: translator.source.split(text), ids, labels: translator.source.labels(ids),
           decoded: translator.source.decode(ids), typeset: typesetFrench(text) };
})
"""


@pytest.fixture(scope="module")
def translator() -> Translator:
    return Translator.load(CHECKPOINT)


@pytest.fixture(scope="module")
def path(translator: Translator, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "translator.html"
    TranslatorFigure(translator).save(path)
    return path


@pytest.fixture(scope="module")
def engine(browser_path: str, path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page, with a translator in the variable `translator`."""
    with chromium(browser_path, tmp_path_factory.mktemp("home")) as browser:
        page = browser.new_context(offline=True).new_page()
        page.goto(path.as_uri())
        page.evaluate(
            'globalThis.translator = new courseFigures.translator.Translator(courseFigures.fileOf("course-file-0")), 0'
        )
        yield page


@pytest.fixture
def page(engine: Page, path: Path) -> Iterator[Page]:
    """The page, fresh; it must say nothing on the console."""
    page = engine.context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(path.as_uri())
    yield page
    page.close()
    assert not said


@torch.no_grad()
def teacher_forced(translator: Translator, source: list[int], read: list[int]) -> tuple[Any, Any]:
    """Logits (L_t, n_vocab) and attention maps for the ids that encoder and decoder read."""
    ids = torch.tensor([source]), torch.tensor([read])
    return translator.model(*ids)[0].numpy(), translator.model.attention_maps(*ids)


def is_near_tie(translator: Translator, source: list[int], written: list[int]) -> bool:
    """Whether the two best logits were all but equal at the token after `written`."""
    logits, _ = teacher_forced(translator, [*source, EOS_ID], [BOS_ID, *written])
    logits[:, [PAD_ID, BOS_ID]] = -np.inf
    second, best = np.sort(logits[-1])[-2:]
    return bool(best - second < NEAR_TIE)


@pytest.mark.parametrize(
    "sentences",
    [
        pytest.param(SENTENCES[::10], id="a-hundred"),
        pytest.param(SENTENCES, id="all", marks=pytest.mark.soak),
    ],
)
def test_it_writes_the_same_tokens_as_python(
    engine: Page, translator: Translator, sentences: list[str]
) -> None:
    start = time.perf_counter()
    found = engine.evaluate(
        "sentences => sentences.map(s => translator.greedy(translator.source.encode(s)).ids)", sentences
    )
    seconds = (time.perf_counter() - start) / len(sentences)
    wanted = [h[0].ids for h in translator.search(sentences)]
    equal, ties, wrong = 0, 0, []
    for sentence, ids, expected in zip(sentences, found, wanted, strict=True):
        ours = ids[:-1] if ids[-1] == EOS_ID else ids
        if ours == expected:
            equal += 1
            continue
        same = next(
            (i for i, (a, b) in enumerate(zip(ours, expected, strict=False)) if a != b),
            min(len(ours), len(expected)),
        )
        if is_near_tie(translator, translator.source_tokeniser.encode(sentence), expected[:same]):
            ties += 1
        else:
            wrong.append(sentence)
    print(f"{equal} of {len(sentences)} equal, {ties} near ties, {1000 * seconds:.1f} ms a sentence")
    assert not wrong
    assert ties <= len(sentences) // 100


@pytest.mark.parametrize("text", [*SOME, *SENTENCES[7::250]])
def test_logits_and_weights_are_those_of_python(engine: Page, translator: Translator, text: str) -> None:
    source = [*translator.source_tokeniser.encode(text), EOS_ID]
    read = [BOS_ID, *translator.search([text])[0][0].ids]
    found = engine.evaluate(FORCED, [source, read])
    logits, maps = teacher_forced(translator, source, read)
    assert np.abs(np.array(found["logits"]) - logits).max() < 1e-3
    for kind, layers in maps._asdict().items():
        for layer, weights in enumerate(layers):
            for head, rows in enumerate(found[kind][layer]):
                for i, row in enumerate(rows):  # the decoder's are as long as what it has read
                    np.testing.assert_allclose(row, weights[0, head, i, : len(row)], atol=1e-4)


@pytest.mark.parametrize("text", [*SOME, "", "  ", "a " * 51, "Est-il l'homme ? « שלום »"])
@pytest.mark.parametrize("prefix", [[], [5, 66, 483]])
def test_both_engines_give_the_same_answer(
    engine: Page, translator: Translator, text: str, prefix: list[int]
) -> None:
    found = engine.evaluate("([text, prefix]) => translator.answer({ text, prefix })", [text, prefix])
    wanted = json.loads(json.dumps(answer(translator, text, prefix)))
    weights, expected = found.pop("weights"), wanted.pop("weights")
    steps, likely = found.pop("steps"), wanted.pop("steps")
    assert found == wanted
    for kind, layers in expected.items():
        assert len(weights[kind]) == len(layers)
        for rows, expected_rows in zip(flat(weights[kind]), flat(layers), strict=True):
            short = min(len(rows), len(expected_rows))
            assert rows[:short] == pytest.approx(expected_rows[:short], abs=2e-4)
            assert not any(expected_rows[short:])  # later tokens, which nothing looks at
    for ours, theirs in zip(steps, likely, strict=True):
        assert [one["p"] for one in ours] == pytest.approx([one["p"] for one in theirs], abs=2e-4)
        assert ours[0]["label"] == theirs[0]["label"] or ours[0]["p"] - ours[1]["p"] < 1e-3


def flat(layers: list[Any]) -> list[list[float]]:
    return [row for heads in layers for rows in heads for row in rows]


PIECES = st.sampled_from([
    *"aeéèœçßıİſKσςΣ'’‘ʼ\"«»“”-–.,!?;:()[]%#$/…_ ²½五٣é\u0301\u00a0\u202f\u200b\u00ad\ufeff\x1c\x85\t\n🙂👩‍👩",
    *["l'", "qu'", "QU’", "lorsqu'", "n't", "N'T", "'s", "'ll", "-t-il", "-İl", "-elleſ", "-ce", "10:30", "3,5"],
    *["don't", "aujourd'hui", "tee-shirt", "The", "red", "car", "chat", "שלום", "مرحبا", "<join>", "<unk>", "« "],
    *[" ?", " !", " ", " ", " "],
])  # fmt: skip
TEXTS = st.lists(PIECES, max_size=14).map("".join) | st.text(
    st.characters(exclude_categories=["Cs", "Cn", "Co"]), max_size=20
)


@settings(max_examples=40)
@given(texts=st.lists(TEXTS, min_size=20, max_size=20))
def test_texts_fall_into_the_same_tokens(engine: Page, translator: Translator, texts: list[str]) -> None:
    words = translator.source_tokeniser
    assert isinstance(words, WordTokeniser)
    for text, found in zip(texts, engine.evaluate(TOKENISED, texts), strict=True):
        ids = words.encode(text)
        wanted = {
            "normal": normalise(text),
            "pieces": words.split(text),
            "ids": ids,
            "labels": words.tokens(ids),
            "decoded": words.decode(ids),
            "typeset": typeset_french(text),
        }
        assert found == wanted, text


def test_the_page_holds_the_checkpoint_itself_and_is_small(path: Path, translator: Translator) -> None:
    assert path.stat().st_size < 10_000_000
    ours, stored = TranslatorFigure(translator)._file(), CHECKPOINT.read_bytes()
    start = [8 + int.from_bytes(file[:8], "little") for file in (ours, stored)]
    assert ours[start[0] :] == stored[start[1] :]
    heads = [json.loads(file[8:end])["__metadata__"] for file, end in zip((ours, stored), start, strict=True)]
    first, second = (json.loads(head["course_lib"]) for head in heads)
    assert first == second


# ---- What a reader does ----


def write(page: Page, text: str) -> None:
    page.get_by_label("English", exact=True).fill(text)


def french(page: Page) -> list[str]:
    """The French tokens that can be chosen."""
    return [(choice.text_content() or "") for choice in page.locator("svg .cf-arrives .cf-choice").all()]


def test_a_sentence_that_is_typed_is_translated_and_a_word_can_be_forced(page: Page) -> None:
    write(page, "I have a red car.")
    expect(page.locator(".cf-title")).to_contain_text("‘voiture rouge’")
    expect(page.locator("svg")).to_contain_text("J’")
    assert french(page) == ["J’", "ai", "une", "voiture", "rouge", ".", "</s>"]
    page.locator("svg .cf-choice", has_text="voiture").first.click()
    expect(page.locator(".cf-title")).to_have_text("To write ‘voiture’, the decoder looks mostly at ‘car’")
    others = page.locator("svg .cf-choice:not(.cf-arrives *)")
    expect(others).to_have_count(5)
    other = others.nth(1)
    name = (other.get_attribute("aria-label") or "").split(",")[0]
    other.click()
    expect(page.locator(".cf-title")).to_contain_text(f"To write ‘{name}’")
    expect(page.get_by_role("button", name="Undo the choice")).to_be_visible()
    assert french(page)[:4] == ["J’", "ai", "une", name]
    page.get_by_role("button", name="Undo the choice").click()
    expect(page.locator("svg .cf-choice", has_text="voiture").first).to_be_visible()


@pytest.mark.parametrize("width", [332, 1280])
def test_its_headings_say_which_language_is_where_and_never_the_way_back(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    drawn = page.locator("figure.cf svg")
    heads = {
        "French looks at English": ("English", "French"),
        "English at English": ("English", "English again"),
        "French at French": ("Read so far" if width < 400 else "What the decoder has read", "French"),
    }
    for kind, (looked, looks) in heads.items():
        page.get_by_role("radio", name=kind).check(force=True)
        expect(page.locator("figure.cf .cf-unseen").first).to_contain_text(f"Attention: {kind}")
        told = drawn.locator("text")
        texts, places = told.all_text_contents(), []
        for name in (looked, looks):
            box = told.nth(next(i for i, text in enumerate(texts) if text.startswith(name))).bounding_box()
            assert box is not None
            places.append((round(box["y"]), box["x"]))
        assert places[0] < places[1]  # what is looked at stands above what looks, or left of it
    assert "French to English" not in page.locator("body").inner_text()  # which is not what it translates


def test_heads_and_the_three_attentions_can_be_chosen(page: Page) -> None:
    words = page.locator("figure.cf .cf-unseen").first
    for kind in ("English at English", "French at French", "French looks at English"):
        page.get_by_role("radio", name=kind).check(force=True)
        expect(words).to_contain_text(f"Attention: {kind}, the mean of all heads")
        expect(page.locator("svg path")).not_to_have_count(0)
    page.get_by_label("Heads").select_option("1.2")
    expect(words).to_contain_text("layer 2, head 3")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Type an English sentence, or choose one."),
        ("   ", "Type an English sentence, or choose one."),
        ("\u200b", "There is nothing to read in this text."),
        ("The zorglub eats a car.", "does not know ‘\u2068zorglub\u2069’: it reads <unk> instead."),
        ("שלום לכולם", "‘\u2068שלום\u2069’ and ‘\u2068לכולם\u2069’"),
        ("very " * 60, f"This text has 60 tokens; here the translator takes up to {MOST_TOKENS}."),
        ("x" * 400, "does not know ‘\u2068xxxxxxxxxxxxxxxxxxxx\u2069’"),
    ],
)
@pytest.mark.parametrize("width", [332, 1280])
def test_what_it_cannot_read_is_said_and_nothing_breaks(page: Page, text: str, says: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    write(page, text)
    expect(page.locator("figure.cf .cf-unseen").first).to_contain_text(says)
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    write(page, "I have a red car.")
    expect(page.locator(".cf-title")).to_contain_text("‘voiture rouge’")


# ---- What the page cannot run ----


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"kind": "gru"}, "it is a gru"),
        ({"config": {"position": "rotary", "position_mode": "add"}}, "its positions are rotary"),
        ({"config": {"position": "sinusoidal", "position_mode": "append"}}, r"sinusoidal \(append\)"),
        ({"source_tokeniser": '{"tokeniser": "bpe"}'}, "its tokeniser is bpe"),
    ],
)
def test_what_the_page_cannot_run_is_refused(changed: dict[str, Any], says: str) -> None:
    whole = {
        "kind": "transformer",
        "config": {"position": "sinusoidal", "position_mode": "add"},
        "source_tokeniser": '{"tokeniser": "word"}',
        "target_tokeniser": None,
    }
    with pytest.raises(ValueError, match=says):
        call("translator.check", whole | changed)


def test_python_answers_for_other_tokenisers_and_models_too() -> None:
    gru = Translator.load(ROOT / "results" / "embedded" / "gru-attention-0.safetensors")
    figure = TranslatorFigure(gru)
    assert figure.given["props"]["answer"]["weights"]["encoder"] == []
    assert "voiture" in figure.svg
    with pytest.raises(ValueError, match="it is a gru"):
        figure._file()
    pieces = BPETokeniser.train(SENTENCES[:50], n_vocab=300)
    config = gru.model.config.__class__(len(pieces), len(pieces), d_model=8, d_hidden=8)
    figure = TranslatorFigure(Translator(type(gru.model)(config).eval(), pieces, pieces))
    assert len(figure.given["props"]["answer"]["ids"]) <= MAX_LENGTH
    figure.state = {"text": "Hello"}
    assert "Hello" in figure.alt
