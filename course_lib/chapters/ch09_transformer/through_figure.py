"""A sentence through a Transformer: what its hooks see, part by part, as a figure that lives in the page."""

from contextlib import ExitStack
from typing import Any

import torch
from torch import Tensor, nn

from course_lib.decoding import greedy_search
from course_lib.figures.page import PageFigure
from course_lib.figures.page.translator import rounded
from course_lib.model import Transformer
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID
from course_lib.text.tokenisers import WordTokeniser
from course_lib.translator import Translator

SHOWN, LIKELIEST, LONGEST = 32, 5, 40  # numbers of a vector; tokens that may come next; tokens of a sentence
Stage = dict[str, Any]  # as the interface Stage in web/src/figures/through.tsx


@torch.no_grad()
def stages(model: Transformer, source: Tensor, target_in: Tensor) -> list[Stage]:
    """Run a Transformer once, and note what goes through each of its parts.

    Forward hooks see it: they are removed before this returns.

    Parameters
    ----------
    model : Transformer
        In evaluation mode; with norms before its sublayers and after each stack, and positions that are added.
    source, target_in : Tensor
        Ids, (1, L_s) and (1, L_t).

    Returns
    -------
    list of dict
        In the order of computation. "side" and "box" name the part, "block" counts from 0 and is −1 outside; "inputs"
        and "output" are shapes without the batch; "rows" are vectors before, what is added, and after, with their first
        `SHOWN` numbers; "weights" (H, L_q, L_k) of an attention; "vectors" is the whole output.

    Raises
    ------
    ValueError
        If the model is built in another way.

    Examples
    --------
    >>> from course_lib.model import TransformerConfig
    >>> config = TransformerConfig(9, 9, d_model=8, n_heads=2, d_ff=8, n_encoder_layers=1, n_decoder_layers=1)
    >>> found = stages(Transformer(config).eval(), torch.tensor([[4, 5, 2]]), torch.tensor([[1, 6]]))
    >>> [f"{stage['side']} {stage['box']}" for stage in found[:4]]
    ['encoder read', 'encoder self', 'encoder feed', 'encoder norm']
    >>> found[6]["box"], found[6]["inputs"], found[6]["output"]
    ('cross', [[2, 8], [3, 8]], [2, 8])
    """
    c = model.config
    if c.norm != "pre" or not c.final_norm or c.position_mode != "add":
        raise ValueError(
            f"norm={c.norm!r}, final_norm={c.final_norm}, position_mode={c.position_mode!r}: "
            "expected 'pre', True, 'add'"
        )
    found: list[Stage] = []

    def watch(side: str, box: str, block: int = -1) -> Any:
        def note(module: nn.Module, args: Any, output: Any) -> None:
            read = [a[0] for a in args if isinstance(a, Tensor)]  # without the batch
            after, weights = (output[0], output[1]) if isinstance(output, tuple) else (output, None)
            inputs = [list(x.shape) for x in read]
            rows = {"before": read[0], "adds": after[0] - read[0], "after": after[0]} if block >= 0 else {}
            if box == "read":
                rows = {"token": read[0], "position": after[0] - read[0], "sum": after[0]}
                inputs = [[len(read[0])]]
            elif box in ("norm", "output"):
                rows = {"before": read[0], "after": after[0]} if box == "norm" else {"before": read[0]}
            found.append(
                {
                    "side": side,
                    "box": box,
                    "block": block,
                    "inputs": inputs,
                    "output": list(after.shape[1:]),
                    "rows": [
                        {
                            "says": says,
                            "numbers": [[round(x, 2) for x in row] for row in X[:, :SHOWN].tolist()],
                        }
                        for says, X in rows.items()
                    ],
                    "weights": [] if weights is None else rounded(weights[0].tolist()),
                    "vectors": after[0],
                }
            )

        return note

    with ExitStack() as hooks:

        def hook(module: Any, *names: Any) -> None:
            hooks.callback(module.register_forward_hook(watch(*names)).remove)

        hook(model.source_embedding.positions, "encoder", "read")
        hook(model.target_embedding.positions, "decoder", "read")
        for b, block in enumerate(model.encoder):
            hook(block.around_attention, "encoder", "self", b)
            hook(block.around_feed_forward, "encoder", "feed", b)
        for b, block in enumerate(model.decoder):
            hook(block.around_self_attention, "decoder", "self", b)
            hook(block.around_cross_attention, "decoder", "cross", b)
            hook(block.around_feed_forward, "decoder", "feed", b)
        hook(model.encoder_norm, "encoder", "norm")
        hook(model.decoder_norm, "decoder", "norm")
        hook(model.output, "decoder", "output")
        model(source, target_in)
    return found


def through(
    translator: Translator, sentence: str, *, word: str = "", caption: str = "", number: str = ""
) -> PageFigure:
    """Send a sentence through a translator, and show its parts, with shapes, and what each does to every word.

    The first part that is shown is a cross-attention: that head which looks most sharply when `word` is predicted.

    Parameters
    ----------
    translator : Translator
        With a Transformer as `stages` needs it.
    sentence : str
        English; the decoder reads the translation that the model itself writes.
    word : str
        A word of the translation; left out, the one in the middle.
    caption, number : str
        As for `PageFigure`.

    Raises
    ------
    ValueError
        If the sentence is empty, or `word` is not in its translation, or the model is built in another way.

    Examples
    --------
    >>> translator = Translator.load("results/embedded/transformer-0.safetensors")
    >>> through(translator, "I love you.", word="aime").title.partition(":")[0]
    'To predict ‘aime’, the decoder looks at ‘love’'
    """
    tokeniser, target_tokeniser = translator.source_tokeniser, translator.target_tokeniser
    ids = tokeniser.encode(sentence)
    model = translator.model
    if not ids or not isinstance(model, Transformer):
        raise ValueError(f"sentence {sentence!r}: expected words, and a Transformer to read them")
    model.eval()
    source = torch.tensor([[*ids, EOS_ID]])
    written = [*greedy_search(model, source, LONGEST)[0].ids, EOS_ID]
    found = stages(model, source, torch.tensor([[BOS_ID, *written[:-1]]]))
    pieces = tokeniser.split(sentence) if isinstance(tokeniser, WordTokeniser) else tokeniser.tokens(ids)
    predicted = _typeset(target_tokeniser.tokens(written))
    if word and word not in predicted:
        raise ValueError(f"word {word!r}: expected one of {predicted}")
    row = predicted.index(word) if word else len(predicted) // 2
    stage, head = max(
        (
            (s, h)
            for s, each in enumerate(found)
            if each["box"] == "cross"
            for h in range(model.config.n_heads)
        ),
        key=lambda at: max(found[at[0]]["weights"][at[1]][row]),
    )
    best = found[stage]["weights"][head][row]
    for each in found:
        each["likeliest"] = _likeliest(each["vectors"], target_tokeniser) if each["box"] == "output" else []
        del each["vectors"]
    c = model.config
    props = {
        "source": [*(piece.strip() for piece in pieces), "</s>"],
        "target": ["<s>", *predicted[:-1]],
        "predicted": predicted,
        "n_heads": c.n_heads,
        "d": c.d_model,
        "d_ff": c.d_ff,
        "n_blocks": {"encoder": len(model.encoder), "decoder": len(model.decoder)},
        "stages": found,
        "stage": stage,
        "head": head,
        "word": {"encoder": best.index(max(best)), "decoder": row},
    }
    return PageFigure("through", props, caption=caption, number=number)


def _likeliest(logits: Tensor, tokeniser: Any) -> list[list[tuple[str, float]]]:
    """Return for each position the likeliest next tokens, with their probabilities."""
    logits = logits.clone()
    logits[:, [PAD_ID, BOS_ID]] = -torch.inf
    shares, ids = logits.softmax(-1).topk(min(LIKELIEST, logits.shape[1] - 2))
    return [
        list(zip(_typeset(tokeniser.tokens(row)), rounded(share), strict=True))
        for row, share in zip(ids.tolist(), shares.tolist(), strict=True)
    ]


def _typeset(tokens: list[str]) -> list[str]:
    """Return French tokens with the apostrophe of print."""
    return [token.replace("'", "’") for token in tokens]
