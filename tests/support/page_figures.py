"""An example of each figure that lives in the page."""

from collections.abc import Callable

import numpy as np

from course_lib.chapters.ch02_attention import attention_steps, vectors
from course_lib.chapters.ch04_self_attention.figures import BANK, word_moves
from course_lib.chapters.ch05_cross_and_multi_head import alignment_in_time, audio_text
from course_lib.chapters.ch06_positional_encoding import clock
from course_lib.chapters.ch07_feed_forward import NOT_HAPPY, hull
from course_lib.chapters.ch08_masking import mask_and_cache, trained_writer
from course_lib.chapters.ch09_transformer import clinic as bug_clinic
from course_lib.chapters.ch09_transformer import through, ward
from course_lib.chapters.ch10_translation import learning_figure, length_figure
from course_lib.chapters.ch11_claims_revisited import board
from course_lib.figures import Attended, PageFigure, Prediction, sentence_with_attention
from course_lib.figures.page.translator import TranslatorFigure
from course_lib.translator import Translator
from tests.support.editions import ROOT


def query_plane() -> PageFigure:
    return PageFigure(
        "query-plane",
        {
            "keys": [[-1.5, 0.6], [0.5, 1.7], [1.0, -1.5], [-0.1, -0.25]],
            "words": ["France", "Germany", "Italy", "Monaco"],
            "values": ["Paris", "Berlin", "Rome", "Monaco"],
            "query": [-0.3, 0.9],
            "sharpness": 2,
            "reach": 2.4,
            "edges": ["western", "eastern", "southern", "northern"],
        },
        caption="A line is a weight: thicker is more. Drag the query: none reads Monaco first, whose key is short.",
        number="3.2",
    )


def attention_in_steps() -> PageFigure:
    words = ["The", "hearing", "is", "today"]
    Q, K, V = vectors(words)
    return attention_steps(
        words,
        np.vstack([Q, [0, 0, 6, -4]]),
        K,
        V,
        query=2,
        outside=["When?"],
        features=["thing", "event", "time", "function"],
        meanings=["law", "now", "singular"],
        caption="An arc is a weight: thicker is more. Choose another word, or drag an entry of its query up or down.",
        number="2.2",
    )


def prediction() -> PageFigure:
    asked = "How much of its weight does the query give to Paris?"
    return Prediction(asked, high=100, decimals=0, unit="% of its weight", answer=94)._control


def choice() -> PageFigure:
    return Prediction("Which city does the query read?", ["Paris", "London", "Rome"], answer="Rome")._control


def moves() -> PageFigure:
    return word_moves(**BANK, causal=False, caption="Vectors and matrices are set by hand.", number="4.3")


def alignment() -> PageFigure:
    words = ["He", "is", "singing", "because", "he", "is", "happy"]
    rng = np.random.default_rng(3)
    sounds = audio_text.word_sounds(words, 12, rng)
    frames, spoken = audio_text.speak(sounds, [3, 2, 6, 5, 3, 3, 6], noise=0.3, rng=rng)
    return alignment_in_time(
        words,
        sounds,
        frames,
        spoken,
        word_clock=audio_text.clock(len(words)),
        frame_clock=audio_text.clock(len(frames)),
        caption="A line is a weight; columns of the sound are frames, 0.1 s each. Point at a frame or a word.",
        number="5.1",
    )


def turning() -> PageFigure:
    return clock(
        ["The", "cat", "that", "slept", "all", "day", "chased", "the", "dog"],
        [1, 0, 0.8, 0.3, 1, 0, 0.5, -0.5],
        [0.6, 0.7, 1, 0, 0.9, 0.1, 1, 0],
        asks=6,
        asked=1,
        start=7,
        caption="Each clock is a pair of columns; dotted, a sentence that begins at 0. The ringed Q can be dragged.",
        number="6.5",
    )


def ledger() -> PageFigure:
    return board(
        caption="A tile is a claim, its colour the verdict. Press one to see what decided it, or a part of the bar.",
        number="11.1",
    )


def averages() -> PageFigure:
    caption = "Attention reaches what lies in the triangle. Drag the words, then switch the network on."
    return hull(**NOT_HAPPY, caption=caption, number="7.1")


def length() -> PageFigure:
    return length_figure(
        ROOT / "results", caption="One run of each model; the button shows all seeds.", number="10.3"
    )


def learns() -> PageFigure:
    return learning_figure(
        caption="A line is a weight: thicker is more. Choose a step below, or a French word above.",
        number="10.7",
    )


def clinic() -> PageFigure:
    caption = "Rows of the maps are words to be predicted. Choose a patient, and what is wrong."
    return bug_clinic(ward.stored(), patient=3, caption=caption, number="9.5")


def one_sentence() -> PageFigure:
    return through(
        Translator.load(ROOT / "results" / "embedded" / "transformer-0.safetensors"),
        "The cat chased the dog.",
        caption="Shapes are tokens × numbers. Choose a part, or move the step; point at a word.",
        number="9.1",
    )


def masked() -> PageFigure:
    return mask_and_cache(
        ["Le", "petit", "chat", "qui", "a", "très", "faim", "dort", "."],
        row=7,
        view="computes",
        caption="Squares are computed for the newest word, discs are read as they were. Click another word.",
        number="8.5",
    )


def sentence() -> PageFigure:
    clause, found = ["that", "the", "shy", "lawyer", "who", "knows", "the", "noisy", "boy", "prepared"], []
    for n in (0, 4, 10):
        words = ["The", "hearing", *clause[:n], "is", "public"]
        weights = np.full((len(words), len(words)), 0.3 / len(words))
        weights[:, 1] += 0.7
        found.append(Attended(words, weights, word=n + 2, name=f"{n} words"))
    return sentence_with_attention(
        found,
        first=2,
        label="Clause",
        caption="An arc is a weight: thicker is more. Point at a word to see where it looks.",
        number="1.1",
    )


def translator() -> TranslatorFigure:
    return TranslatorFigure(
        Translator.load(ROOT / "results" / "embedded" / "transformer-0.safetensors"),
        caption="A line is a weight: thicker is more. A small model, which knows 3,000 words.",
        number="0.1",
    )


def writing() -> PageFigure:
    return trained_writer(
        draw=3,
        step=3,
        caption="A bar is the probability of a next word. Choose a word to see its rivals, or a rival to go on from.",
        number="8.1",
    )


EXAMPLES: dict[str, Callable[[], PageFigure]] = {
    "alignment": alignment,
    "attention-steps": attention_in_steps,
    "choice": choice,
    "clinic": clinic,
    "clock": turning,
    "learning": learns,
    "ledger": ledger,
    "hull": averages,
    "length": length,
    "mask-and-cache": masked,
    "prediction": prediction,
    "query-plane": query_plane,
    "sentence": sentence,
    "through": one_sentence,
    "translator": translator,
    "word-moves": moves,
    "writer": writing,
}
