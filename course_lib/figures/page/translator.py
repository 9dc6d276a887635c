"""The translator in the page: a sentence, its translation, and where each word of it looked.

In JupyterLab the browser asks the live model here. A page of its own holds the model's weights and computes by itself
(web/src/translator/): `answer` here and `Translator.answer` there return the same.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from course_lib.decoding import greedy_search
from course_lib.figures.page import PageFigure, call
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID, UNK_ID
from course_lib.text.tokenisers import WordTokeniser
from course_lib.text.typography import typeset_french
from course_lib.translator import Translator

MAX_LENGTH, MOST_TOKENS, N_LIKELIEST = 120, 50, 5  # as in web/src/translator/index.ts
EXAMPLES = (
    "The red car is in front of the white house.",
    "The cat that the dog chased is small.",
    "My sister does not read this book.",
    "Do you love the black cat?",
)


class TranslatorFigure(PageFigure):
    """A translator to type into: lines between words are its attention, and another word can be forced on it.

    Parameters
    ----------
    translator : Translator
        Any that attends to its source, with any tokeniser. A page of its own (`save`) runs Transformers with a
        `WordTokeniser` and sinusoidal positions.
    examples : sequence of str
        English sentences to choose from; the first is shown first.
    caption, number, state
        As in `PageFigure`; state has `text`, `prefix` (ids that the translation is to begin with), `kind` ("cross",
        "encoder", "decoder"), `heads` ("all", a layer "0", a layer and a head "0.3"), `row` and `kept`.

    Raises
    ------
    ValueError
        If the translator has no attention to show, or there is no example.

    Examples
    --------
    >>> translator = Translator.load("results/embedded/transformer-0.safetensors")
    >>> TranslatorFigure(translator).title
    '‘red car’ becomes ‘voiture rouge’, and the lines cross'
    """

    def __init__(
        self,
        translator: Translator,
        examples: Sequence[str] = EXAMPLES,
        caption: str = "",
        number: str = "",
        state: dict[str, Any] | None = None,
    ) -> None:
        if not examples:
            raise ValueError("examples: expected a sentence at least")
        self.translator = translator
        first = answer(translator, examples[0])
        if not first["weights"]["cross"]:
            raise ValueError(f"{translator.kind}: this translator does not attend to its source")
        props = {"examples": list(examples), "answer": first}
        super().__init__("translator", props, caption, number, state)
        self.on_msg(
            lambda _, question, __: self.send(answer(translator, question["text"], question["prefix"]))
        )

    def _still(self) -> dict[str, Any]:
        props = self.given["props"]
        question = {
            name: self.state.get(name, props["answer"]["question"][name]) for name in ("text", "prefix")
        }
        if question != props["answer"]["question"] and question["text"].strip():
            found = answer(self.translator, question["text"], question["prefix"])
            self.given = {**self.given, "props": {**props, "answer": found}}
        return super()._still()

    def _file(self) -> bytes:
        """Return the translator as `Translator.save` writes it, in half precision.

        Raises
        ------
        ValueError
            If the page cannot run it, saying why.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "translator.safetensors"
            self.translator.save(path, torch.float16)
            file = path.read_bytes()
        length = int.from_bytes(file[:8], "little")
        call("translator.check", json.loads(json.loads(file[8 : 8 + length])["__metadata__"]["course_lib"]))
        return file


@torch.no_grad()
def answer(translator: Translator, text: str, prefix: Sequence[int] = ()) -> dict[str, Any]:
    """Translate greedily and return what the figure shows.

    Parameters
    ----------
    translator : Translator
    text : str
        English; if it is empty or longer than `MOST_TOKENS`, nothing is translated.
    prefix : sequence of int
        Ids with which the translation is to begin.

    Returns
    -------
    dict
        As the interface Answer in web/src/translator/index.ts; weights are [layer][head][query][key].
    """
    source, target = translator.source_tokeniser, translator.target_tokeniser
    given = source.encode(text)
    pieces = source.split(text) if isinstance(source, WordTokeniser) else source.tokens(given)
    found: dict[str, Any] = {
        "question": {"text": text, "prefix": list(prefix)},
        "tokens": len(given),
        "limit": MOST_TOKENS,
        "unknown": list(dict.fromkeys(p for p, i in zip(pieces, given, strict=True) if i == UNK_ID)),
        "source": {"text": text, "labels": [*(piece.strip() for piece in pieces), "</s>"]},
        "target": {"text": "", "labels": []},
        "ids": [],
        "steps": [],
        "weights": {"encoder": [], "decoder": [], "cross": []},
    }
    if not 0 < len(given) <= MOST_TOKENS:
        return found
    model = translator.model.eval()
    ids_in = torch.tensor([[*given, EOS_ID]], device=translator.device)
    ids = greedy_search(model, ids_in, MAX_LENGTH, prefix)[0].ids
    ids = [*ids, EOS_ID][:MAX_LENGTH]
    read = torch.tensor([[BOS_ID, *ids[:-1]]], device=translator.device)
    logits = model(ids_in, read)[0].float()  # (L_t, n_vocab)
    logits[:, [PAD_ID, BOS_ID]] = -torch.inf
    steps = []
    for p, chosen in zip(logits.softmax(-1), ids, strict=True):
        best = p.topk(N_LIKELIEST).indices.tolist()
        likely = best if chosen in best else [*best, chosen]
        labels = target.tokens(likely)
        steps.append(
            [{"id": i, "label": n, "p": round(float(p[i]), 4)} for i, n in zip(likely, labels, strict=True)]
        )
    maps = model.attention_maps(ids_in, read)._asdict()
    weights = {kind: [rounded(layer[0].tolist()) for layer in layers] for kind, layers in maps.items()}
    shown = {"text": typeset_french(target.decode(ids)), "labels": target.tokens(ids)}
    return {**found, "target": shown, "ids": ids, "steps": steps, "weights": weights}


def rounded(numbers: Any) -> Any:
    """Round the numbers in lists of lists to 4 decimals.

    Examples
    --------
    >>> rounded([[0.123456], [1.0]])
    [[0.1235], [1.0]]
    """
    return [rounded(one) for one in numbers] if isinstance(numbers, list) else round(numbers, 4)
