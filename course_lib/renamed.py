"""What has moved: each old name of the course's packages, and its name now.

`tools/rename.py` rewrites notebooks, problem sets and tests by this table. Where submissions are graded, one that was
written before a move finds what it imports (`OldNames`); nowhere else do old names work.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from functools import partial, wraps
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

# Modules, with all that is in them; the longest row that fits counts.
MODULES = {
    "course_lib.answers": "course_lib.exercises.kernel_protocol",
    "course_lib.calls": "course_lib.exercises.calls",
    "course_lib.checkpoints": "course_lib.exercises.checkpoints",
    "course_lib.corpus": "course_lib.text",
    "course_lib.corpus.text": "course_lib.text.typography",
    "course_lib.experiments.audio_text": "course_lib.chapters.ch05_cross_and_multi_head.audio_text",
    "course_lib.experiments.bug_clinic": "course_lib.chapters.ch09_transformer.bug_clinic",
    "course_lib.experiments.claims": "course_lib.chapters.ch11_claims_revisited.claims",
    "course_lib.experiments.complexity": "course_lib.chapters.ch04_self_attention.complexity",
    "course_lib.experiments.dependent_steps": "course_lib.chapters.ch01_why_attention.dependent_steps",
    "course_lib.experiments.depth": "course_lib.chapters.ch07_feed_forward.depth",
    "course_lib.experiments.dictionary": "course_lib.chapters.ch03_fuzzy_dictionary.dictionary",
    "course_lib.experiments.fit": "course_lib.chapters.fit",
    "course_lib.experiments.fluffy": "course_lib.chapters.ch04_self_attention.fluffy",
    "course_lib.experiments.gradient_reach": "course_lib.chapters.ch01_why_attention.gradient_reach",
    "course_lib.experiments.heads": "course_lib.chapters.ch05_cross_and_multi_head.heads",
    "course_lib.experiments.language_model": "course_lib.chapters.ch08_masking.language_model",
    "course_lib.experiments.maps": "course_lib.chapters.ch05_cross_and_multi_head.maps",
    "course_lib.experiments.not_happy": "course_lib.chapters.ch07_feed_forward.not_happy",
    "course_lib.experiments.pair_recall": "course_lib.chapters.ch01_why_attention.pair_recall",
    "course_lib.experiments.positions": "course_lib.chapters.ch06_positional_encoding.positions",
    "course_lib.experiments.probe": "course_lib.chapters.ch10_translation.probe",
    "course_lib.experiments.runs": "course_lib.chapters.ch10_translation.runs",
    "course_lib.experiments.shapes": "course_lib.chapters.ch09_transformer.shapes",
    "course_lib.experiments.translation": "course_lib.chapters.ch10_translation.translation",
    "course_lib.hints": "course_lib.exercises.hints",
    "course_lib.kernels": "course_lib.exercises.kernels",
    "course_lib.plots.architecture": "course_lib.chapters.ch09_transformer.architecture_figures",
    "course_lib.plots.bars": "course_lib.figures.bars",
    "course_lib.plots.beam": "course_lib.chapters.ch10_translation.beam_figures",
    "course_lib.plots.clinic": "course_lib.chapters.ch09_transformer.clinic_figures",
    "course_lib.plots.curves": "course_lib.figures.curves",
    "course_lib.plots.dictionary": "course_lib.chapters.ch03_fuzzy_dictionary.figures",
    "course_lib.plots.feed_forward": "course_lib.chapters.ch07_feed_forward.figures",
    "course_lib.plots.heads": "course_lib.chapters.ch05_cross_and_multi_head.figures",
    "course_lib.plots.heatmaps": "course_lib.figures.heatmaps",
    "course_lib.plots.masks": "course_lib.chapters.ch08_masking.figures",
    "course_lib.plots.motivation": "course_lib.chapters.ch01_why_attention.figures",
    "course_lib.plots.picture": "course_lib.figures.picture",
    "course_lib.plots.positions": "course_lib.chapters.ch06_positional_encoding.figures",
    "course_lib.plots.self_attention": "course_lib.chapters.ch04_self_attention.figures",
    "course_lib.plots.sentences": "course_lib.chapters.ch01_why_attention.dependency_arcs",
    "course_lib.plots.steps": "course_lib.chapters.ch02_attention.figures",
    "course_lib.privacy": "course_lib.exercises.privacy",
    "course_lib.proofs": "course_lib.exercises.proofs",
    "course_lib.widgets.architecture": "course_lib.chapters.ch09_transformer.explorers",
    "course_lib.widgets.bar": "course_lib.figures.progress_bar",
    "course_lib.widgets.beam": "course_lib.chapters.ch10_translation.beam_explorers",
    "course_lib.widgets.figure": "course_lib.figures.interactive",
    "course_lib.widgets.sentence": "course_lib.chapters.ch10_translation.typed_sentences",
    "course_lib.widgets.slider": "course_lib.figures.slider",
    "course_lib.working_copies": "course_lib.exercises.working_copies",
}

# Names that packages which are no more used to hold.
NAMES = {
    "course_lib.corpus.tokenisers.BOS_ID": "course_lib.special_ids.BOS_ID",
    "course_lib.corpus.tokenisers.EOS_ID": "course_lib.special_ids.EOS_ID",
    "course_lib.corpus.tokenisers.PAD_ID": "course_lib.special_ids.PAD_ID",
    "course_lib.corpus.tokenisers.UNK_ID": "course_lib.special_ids.UNK_ID",
    "course_lib.decoding.DecodingState": "course_lib.fast.DecodingState",
    "course_lib.decoding.TranslationModel": "course_lib.fast.TranslationModel",
    "course_lib.experiments.depth.Sublayer": "course_lib.chapters.ch07_feed_forward.depth.PartialSublayer",
    "course_lib.experiments.positions.Rotation": "course_lib.model.positions.rotate",
    "course_lib.layers.AddAndNorm": "course_lib.model.Sublayer",
    "course_lib.layers.DecoderBlock": "course_lib.model.DecoderBlock",
    "course_lib.layers.Dropout": "course_lib.fast.ByteDropout",
    "course_lib.layers.EncoderBlock": "course_lib.model.EncoderBlock",
    "course_lib.layers.FeedForward": "course_lib.model.FeedForward",
    "course_lib.layers.KeyValueCache": "course_lib.fast.KeyValueCache",
    "course_lib.layers.MultiHeadAttention": "course_lib.model.MultiHeadAttention",
    "course_lib.layers.Norm": "course_lib.model.config.Norm",
    "course_lib.layers.PositionalEncoding": "course_lib.model.PositionalEncoding",
    "course_lib.layers.attention": "course_lib.model.attention",
    "course_lib.layers.fused_attention": "course_lib.fast.fused_attention",
    "course_lib.layers.masked_softmax": "course_lib.model.masked_softmax",
    "course_lib.plots.Panel": "course_lib.figures.heatmaps.Panel",
    "course_lib.plots.Picture": "course_lib.figures.picture.Picture",
    "course_lib.plots.alignment": "course_lib.chapters.ch05_cross_and_multi_head.figures.alignment",
    "course_lib.plots.architecture": "course_lib.chapters.ch09_transformer.architecture_figures.architecture",
    "course_lib.plots.bars": "course_lib.figures.bars.bars",
    "course_lib.plots.beam_tree": "course_lib.chapters.ch10_translation.beam_figures.beam_tree",
    "course_lib.plots.capacity": "course_lib.chapters.ch03_fuzzy_dictionary.figures.capacity",
    "course_lib.plots.convex_hull": "course_lib.chapters.ch07_feed_forward.figures.convex_hull",
    "course_lib.plots.dependency_arcs": "course_lib.chapters.ch01_why_attention.dependency_arcs.dependency_arcs",
    "course_lib.plots.encoding_map": "course_lib.chapters.ch06_positional_encoding.figures.encoding_map",
    "course_lib.plots.head_sum": "course_lib.chapters.ch05_cross_and_multi_head.figures.head_sum",
    "course_lib.plots.heatmap": "course_lib.figures.heatmaps.heatmap",
    "course_lib.plots.heatmaps": "course_lib.figures.heatmaps.heatmaps",
    "course_lib.plots.inside": "course_lib.chapters.ch07_feed_forward.figures.inside",
    "course_lib.plots.kernel_regression": "course_lib.chapters.ch03_fuzzy_dictionary.figures.kernel_regression",
    "course_lib.plots.lines": "course_lib.figures.curves.lines",
    "course_lib.plots.looking_back": "course_lib.chapters.ch06_positional_encoding.figures.looking_back",
    "course_lib.plots.masks": "course_lib.chapters.ch08_masking.figures.masks",
    "course_lib.plots.reach": "course_lib.chapters.ch01_why_attention.figures.reach",
    "course_lib.plots.receptive_field": "course_lib.chapters.ch01_why_attention.figures.receptive_field",
    "course_lib.plots.self_attention_step": "course_lib.chapters.ch04_self_attention.figures.self_attention_step",
    "course_lib.plots.winning_regions": "course_lib.chapters.ch03_fuzzy_dictionary.figures.winning_regions",
    "course_lib.recurrent.RecurrentConfig": "course_lib.model.RecurrentConfig",
    "course_lib.recurrent.RecurrentState": "course_lib.fast.steps.RecurrentDecoding",
    "course_lib.recurrent.RecurrentTranslator": "course_lib.model.RecurrentTranslator",
    "course_lib.training.Precision": "course_lib.fast.Precision",
    "course_lib.training.choose_device": "course_lib.fast.choose_device",
    "course_lib.training.choose_dtype": "course_lib.fast.choose_dtype",
    "course_lib.training.smoothed_cross_entropy": "course_lib.fast.smoothed_cross_entropy",
    "course_lib.transformer.AttentionMaps": "course_lib.model.AttentionMaps",
    "course_lib.transformer.DecoderOnlyTransformer": "course_lib.model.DecoderOnlyTransformer",
    "course_lib.transformer.DecodingState": "course_lib.fast.steps.TransformerDecoding",
    "course_lib.transformer.Embedding": "course_lib.model.Embedding",
    "course_lib.transformer.LanguageModelState": "course_lib.fast.steps.DecoderOnlyDecoding",
    "course_lib.transformer.Transformer": "course_lib.model.Transformer",
    "course_lib.transformer.TransformerConfig": "course_lib.model.TransformerConfig",
    "course_lib.transformer.causal_mask": "course_lib.model.causal_mask",
    "course_lib.transformer.padding_mask": "course_lib.model.padding_mask",
    "course_lib.widgets.InteractiveFigure": "course_lib.figures.interactive.InteractiveFigure",
    "course_lib.widgets.architecture_explorer": "course_lib.chapters.ch09_transformer.explorers.architecture_explorer",
    "course_lib.widgets.beam_explorer": "course_lib.chapters.ch10_translation.beam_explorers.beam_explorer",
    "course_lib.widgets.labelled_slider": "course_lib.figures.interactive.labelled_slider",
    "course_lib.widgets.progress": "course_lib.figures.progress_bar.progress",
}


def new_name(old: str) -> str:
    """Return the name now of what was called `old`, a dotted name; the same name if it has not moved.

    Examples
    --------
    >>> new_name("course_lib.corpus.tokenisers.BPETokeniser"), new_name("course_lib.training.Trainer")
    ('course_lib.text.tokenisers.BPETokeniser', 'course_lib.training.Trainer')
    """
    if old in NAMES:
        return NAMES[old]
    start = old
    while start and start not in MODULES:
        start = start.rpartition(".")[0]
    return MODULES[start] + old[len(start) :] if start else old


class OldNames(MetaPathFinder, Loader):
    """Finds modules under their old names, for submissions that were written before they moved."""

    @classmethod
    def install(cls) -> None:
        """Let this process import old names, where no module of that name is found, and use what it has imported so."""
        if not any(isinstance(finder, cls) for finder in sys.meta_path):
            sys.meta_path.append(cls())
        model = sys.modules.get("course_lib.model")
        if model is not None and "__getattr__" not in model.__dict__:
            # Problem sets call the package `layers`, as the module was called in which its layers were.
            model.__dict__["__getattr__"] = partial(_look_up, "course_lib.layers")
            _accept(model.MultiHeadAttention, "__init__", "fused")
            _accept(model.MultiHeadAttention, "forward", "need_weights")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a module for an old name, or for a package that held some."""
        packages = {name.rpartition(".")[0] for name in (*MODULES, *NAMES)}
        if fullname in packages or new_name(fullname) != fullname:
            return ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> None:
        """Let Python make an empty module."""

    def exec_module(self, module: ModuleType) -> None:
        """Let a module look up its names where they are now."""
        module.__dict__["__getattr__"] = partial(_look_up, module.__name__)


def _look_up(module: str, name: str) -> Any:
    """Return what was called `name` in a module that is no more."""
    new = new_name(f"{module}.{name}")
    if name.startswith("__") or new == f"{module}.{name}":
        raise AttributeError(f"{module} has no {name}")
    home, _, last = new.rpartition(".")
    try:
        return getattr(importlib.import_module(home), last)
    except (ImportError, AttributeError):
        raise AttributeError(f"{module} has no {name}") from None


def _accept(owner: Any, method: str, argument: str) -> None:
    """Let a method take a keyword that it took before, which chose between ways of which one is left."""
    function = getattr(owner, method)

    @wraps(function)
    def accepting(*arguments: Any, **options: Any) -> Any:
        options.pop(argument, None)
        return function(*arguments, **options)

    setattr(owner, method, accepting)
