"""Translate 1,000 sentences: ours, ours without caches, Hugging Face's Marian, CTranslate2.

    python decoding.py {ours,again,marian,ctranslate2} --beam B --batch N [--sentences N]

All have d 128, 4 + 4 blocks, 6,000 tokens, random weights, float32. Each source has 16 tokens; each translation is cut
at 20, and none ends earlier, so that all write exactly the same number of tokens. `again` is what one writes without
key/value caches: the whole beginning goes through the decoder at each step. CTranslate2 runs Marian's weights.
"""

import argparse
import tempfile
from collections.abc import Callable

import torch
from timing import once, report
from torch import Tensor

from course_lib.decoding import beam_search, greedy_search
from course_lib.fast import faster, ready_to_decode
from course_lib.model import Transformer, TransformerConfig
from course_lib.special_ids import BOS_ID, EOS_ID

N_VOCAB, D, N_HEADS, D_FF, N_LAYERS = 6000, 128, 4, 512, 4
L_SOURCE, L_TARGET = 16, 20
MARIANS_PAD = N_VOCAB - 1  # which begins a translation, too, as in Marian's own models

Translate = Callable[[Tensor], int]  # sources (B, L) -> number of tokens written


def ours() -> Transformer:
    """Return a model that never ends a sentence: the logit of </s> is 0, below the largest of 6,000."""
    shape = {"d_model": D, "n_heads": N_HEADS, "d_ff": D_FF}
    model = Transformer(
        TransformerConfig(N_VOCAB, N_VOCAB, **shape, n_encoder_layers=N_LAYERS, n_decoder_layers=N_LAYERS)
    )
    with torch.no_grad():
        model.output.weight[EOS_ID] = 0
    return model.eval()


def with_caches(beam: int) -> Translate:
    """Return our search."""
    model = ready_to_decode(faster(ours()))

    def translate(source: Tensor) -> int:
        if beam == 1:
            return sum(len(found.ids) for found in greedy_search(model, source, L_TARGET))
        return sum(len(found[0].ids) for found in beam_search(model, source, L_TARGET, beam))

    return translate


def without_caches(beam: int) -> Translate:
    """Return a greedy search that computes everything again at each step."""
    if beam != 1:
        raise SystemExit("without caches there is greedy search only")
    model = faster(ours())

    def translate(source: Tensor) -> int:
        ids = torch.full((len(source), 1), BOS_ID)
        for _ in range(L_TARGET):
            logits = model.output(model.hidden(source, ids)[:, -1])
            ids = torch.cat([ids, logits.argmax(-1, keepdim=True)], dim=1)
        return ids[:, 1:].numel()

    return translate


def marian_model() -> torch.nn.Module:
    """Return Hugging Face's Marian of the same size."""
    from transformers import MarianConfig, MarianMTModel

    config = MarianConfig(
        vocab_size=N_VOCAB, d_model=D, encoder_layers=N_LAYERS, decoder_layers=N_LAYERS,
        encoder_attention_heads=N_HEADS, decoder_attention_heads=N_HEADS, encoder_ffn_dim=D_FF,
        decoder_ffn_dim=D_FF, activation_function="relu", max_position_embeddings=512, pad_token_id=MARIANS_PAD,
        eos_token_id=EOS_ID, decoder_start_token_id=MARIANS_PAD, forced_eos_token_id=None, scale_embedding=True,
    )  # fmt: skip
    return MarianMTModel(config).eval()


def by_marian(beam: int) -> Translate:
    """Return Marian's own search."""
    model = marian_model()

    def translate(source: Tensor) -> int:
        written = model.generate(
            source, num_beams=beam, do_sample=False, min_new_tokens=L_TARGET, max_new_tokens=L_TARGET
        )
        return written[:, 1:].numel()

    return translate


def by_ctranslate2(beam: int) -> Translate:
    """Return CTranslate2's search with Marian's weights."""
    import ctranslate2
    from ctranslate2.converters.transformers import MarianMTLoader

    loader = MarianMTLoader()
    spec = loader.get_model_spec(marian_model())
    words = [f"w{number}" for number in range(N_VOCAB - 1)]  # all but the padding
    words[EOS_ID] = "</s>"
    spec.register_source_vocabulary(words)
    spec.register_target_vocabulary(words)
    spec.config.decoder_start_token, spec.config.eos_token = "", "</s>"
    spec.validate()
    spec.optimize()
    with tempfile.TemporaryDirectory() as folder:
        spec.save(folder)
        threads = torch.get_num_threads()
        translator = ctranslate2.Translator(folder, inter_threads=1, intra_threads=threads)

    def translate(source: Tensor) -> int:
        sentences = [[words[number] for number in row] for row in source.tolist()]
        lengths = {"min_decoding_length": L_TARGET, "max_decoding_length": L_TARGET}
        found = translator.translate_batch(sentences, beam_size=beam, **lengths)
        return sum(len(one.hypotheses[0]) for one in found)

    return translate


CONTESTANTS = {
    "ours": with_caches,
    "again": without_caches,
    "marian": by_marian,
    "ctranslate2": by_ctranslate2,
}


def main() -> None:
    """Translate all sentences once, after two batches that do not count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("contestant", choices=CONTESTANTS)
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--sentences", type=int, default=1000)
    options = parser.parse_args()
    torch.manual_seed(0)
    translate = CONTESTANTS[options.contestant](options.beam)
    batches = torch.randint(4, N_VOCAB - 1, (options.sentences, L_SOURCE)).split(options.batch)
    n_written = 0

    def all_of_them() -> None:
        nonlocal n_written
        n_written = sum(map(translate, batches))

    with torch.inference_mode():
        for batch in batches[:2]:
            translate(batch)
        seconds = once(all_of_them)
    if n_written != options.sentences * L_TARGET:
        raise SystemExit(f"{n_written} tokens written, expected {options.sentences * L_TARGET}")
    report(seconds=seconds / options.sentences)


if __name__ == "__main__":
    main()
