"""A trained model with its tokenisers: what `course train` writes and `course translate` reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence
from tqdm.auto import tqdm

from course_lib.decoding import Hypothesis, beam_search, greedy_search
from course_lib.fast import TranslationModel, prepare, ready_to_decode
from course_lib.files import atomic_path
from course_lib.model import RecurrentConfig, RecurrentTranslator, Transformer, TransformerConfig
from course_lib.special_ids import EOS_ID, PAD_ID
from course_lib.text.tokenisers import Tokeniser, tokeniser_from_json

# Every kind of model that can be trained: its name in files and on the command line, its configuration, its class.
MODELS: dict[str, tuple[type[Any], type[TranslationModel]]] = {
    "transformer": (TransformerConfig, Transformer),
    "gru": (RecurrentConfig, RecurrentTranslator),
}


def source_batches(sentences: Sequence[list[int]], n_tokens: int) -> Iterator[tuple[list[int], Tensor]]:
    """Yield batches of sentences of similar length, padded, each with the places of its sentences.

    Parameters
    ----------
    sentences : sequence of list of int
        Ids of each sentence.
    n_tokens : int
        Most positions in a batch, padding included; a sentence longer than that is a batch of its own.

    Yields
    ------
    where : list of int
        Places in `sentences`.
    source : Tensor
        Ids, (B, L_s), padded on the right; the last is the longest.

    Examples
    --------
    >>> for where, source in source_batches([[5, 6, 2], [5, 2], [7, 2]], n_tokens=4):
    ...     print(where, source.tolist())
    [1, 2] [[5, 2], [7, 2]]
    [0] [[5, 6, 2]]
    """
    waiting = sorted(range(len(sentences)), key=lambda place: len(sentences[place]))
    while waiting:
        size = 1
        while size < len(waiting) and (size + 1) * len(sentences[waiting[size]]) <= n_tokens:
            size += 1
        where, waiting = waiting[:size], waiting[size:]
        rows = [torch.tensor(sentences[place]) for place in where]
        yield where, pad_sequence(rows, batch_first=True, padding_value=PAD_ID)


class Translator:
    """A model that turns sentences into sentences.

    Parameters
    ----------
    model : Transformer or RecurrentTranslator
        One of `MODELS`, or a variant of it.
    source_tokeniser, target_tokeniser : Tokeniser
        The tokenisers whose ids it was trained on; the same object for a joint vocabulary.
    facts : dict, optional
        What else to tell of the model (steps trained, BLEU on the validation set, …); JSON's types only.

    Examples
    --------
    >>> from course_lib.text.tokenisers import WordTokeniser
    >>> words = WordTokeniser.train(["I love you.", "Je t'aime."])
    >>> config = TransformerConfig(len(words), len(words), d_model=8, n_heads=2, d_ff=8)
    >>> translation = Translator(Transformer(config), words, words).translate(["I love you."])
    >>> len(translation)
    1
    """

    def __init__(
        self,
        model: TranslationModel,
        source_tokeniser: Tokeniser,
        target_tokeniser: Tokeniser,
        facts: dict[str, Any] | None = None,
    ) -> None:
        self.model = model
        self.source_tokeniser, self.target_tokeniser = source_tokeniser, target_tokeniser
        self.facts = facts or {}

    @property
    def kind(self) -> str:
        """Name of the model's kind, a key of `MODELS`."""
        return next(kind for kind, (_, model) in MODELS.items() if isinstance(self.model, model))

    @property
    def device(self) -> torch.device:
        """Where the model's parameters are."""
        return next(self.model.parameters()).device

    def translate(
        self,
        sentences: Sequence[str],
        beam: int = 1,
        alpha: float = 1.0,
        max_length: int = 120,
        progress: bool = False,
    ) -> list[str]:
        """Return the translation of each sentence.

        Parameters
        ----------
        sentences : sequence of str
            Text, tokenised here. An empty sentence gives an empty translation.
        beam : int
            Beam width; 1 is greedy search.
        alpha : float
            Strength of the length penalty (`course_lib.decoding.length_penalty`).
        max_length : int
            Most tokens a translation may have.
        progress : bool
            Whether to show a progress bar.
        """
        found = self.search(sentences, beam, alpha, max_length, progress)
        return [self.target_tokeniser.decode(hypotheses[0].ids) for hypotheses in found]

    def search(
        self,
        sentences: Sequence[str],
        beam: int = 1,
        alpha: float = 1.0,
        max_length: int = 120,
        progress: bool = False,
    ) -> list[list[Hypothesis]]:
        """Return what `translate` chooses from: the hypotheses of each sentence, best first."""
        ids = [self.source_tokeniser.encode(sentence) for sentence in sentences]
        found: list[list[Hypothesis]] = [[Hypothesis([], 0.0, 0.0)] for _ in sentences]
        filled = [index for index, source in enumerate(ids) if source]
        model = ready_to_decode(prepare(self.model).model.eval())
        with tqdm(total=len(filled), unit="sentence", disable=not progress) as bar:
            for where, source in source_batches([[*ids[index], EOS_ID] for index in filled], n_tokens=2000):
                source = source.to(self.device)
                if beam == 1:
                    best = [[h] for h in greedy_search(model, source, max_length)]
                else:
                    best = beam_search(model, source, max_length, beam, alpha)
                for index, hypotheses in zip(where, best, strict=True):
                    found[filled[index]] = hypotheses
                bar.update(len(where))
        return found

    def save(self, path: str | Path, dtype: torch.dtype | None = None) -> None:
        """Write weights, configuration, tokenisers and facts to one file, whole or not at all.

        Parameters
        ----------
        path : str or Path
            The file, by custom `….safetensors`.
        dtype : torch.dtype, optional
            What the weights are stored in: `torch.float16` halves the file. As they are where not given; a
            translator that is loaded computes in float32 either way.
        """
        joint = self.source_tokeniser is self.target_tokeniser
        description = {
            "kind": self.kind,
            "config": asdict(self.model.config),
            "source_tokeniser": self.source_tokeniser.to_json(),
            "target_tokeniser": None if joint else self.target_tokeniser.to_json(),
            "facts": self.facts,
        }
        # Of tied matrices one is stored: `load` builds the model, which ties them again.
        weights = {
            name: p.detach().to(dtype or p.dtype).contiguous() for name, p in self.model.named_parameters()
        }
        metadata = {"course_lib": json.dumps(description, ensure_ascii=False)}
        with atomic_path(path) as temporary:
            # `save_file` would write beside it under a name of its own, which a killed process leaves behind.
            temporary.write_bytes(save(weights, metadata))

    @classmethod
    def load(cls, path: str | Path, device: str | torch.device = "cpu") -> Self:
        """Read what `save` wrote.

        Raises
        ------
        FileNotFoundError
            If there is no such file.
        ValueError
            If the file is not one that `save` wrote.
        """
        try:
            with safe_open(path, framework="pt", device=str(device)) as file:
                description = json.loads((file.metadata() or {})["course_lib"])
                weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
        except (SafetensorError, KeyError) as error:
            raise ValueError(f"{path}: not a model that this course has saved ({error})") from None
        config_class, model_class = MODELS[description["kind"]]
        model = model_class(config_class(**description["config"])).to(device)
        missing, unexpected = model.load_state_dict(weights, strict=False)
        tied = {name for name, _ in model.named_parameters(remove_duplicate=False)} - set(weights)
        if unexpected or set(missing) - tied or set(dict(model.named_parameters())) - set(weights):
            raise ValueError(f"{path}: the weights do not fit the configuration stored with them")
        source = tokeniser_from_json(description["source_tokeniser"])
        target = (
            tokeniser_from_json(description["target_tokeniser"])
            if description["target_tokeniser"]
            else source
        )
        return cls(model.eval(), source, target, description["facts"])
