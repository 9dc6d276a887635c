"""What decides the questions of ps10: the parts of a translator, from the batch to the score."""

import inspect
import math
from collections import Counter
from itertools import chain

import numpy as np
import torch

from course_grading.questions import Misconception, Part, Question
from course_lib.exercises.hints import described
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID, UNK_ID

# ---- q1: a batch for teacher forcing ----
#
# What the text says, and where it is tried:
# - B >= 1, pairs in any order: one pair; the longest sentence first, in the middle, last
# - ids from 3 upwards: 3 itself, and an id of five digits, in source and target
# - a target may be empty: one among others, and one alone (in the target's part, so that it costs once)
# - source and target have widths of their own: now one is the wider, now the other
# - the mask is True at </s>, False at padding, (B, 1, L_s), booleans
# - types, with an empty target too, and lists that stay as they are: in the first part alone, so that such a mistake
#   costs once (who stops at an empty target loses the target's part)


def padded(rows, left=False):
    """Stack lists of ids, filled up with padding: B lists -> (B, L)."""
    longest = max(map(len, rows))
    fill = [[PAD_ID] * (longest - len(row)) for row in rows]
    return torch.tensor([(f + r if left else r + f) for r, f in zip(rows, fill, strict=True)])


def make_batch(pairs):
    """Make the four tensors of a batch from B pairs of lists of ids."""
    source = padded([[*source, EOS_ID] for source, _ in pairs])
    return {
        "source": source,
        "source_mask": (source != PAD_ID).unsqueeze(1),
        "target_in": padded([[BOS_ID, *target] for _, target in pairs]),
        "target_out": padded([[*target, EOS_ID] for _, target in pairs]),
    }


ASK_Q1 = """
import torch

def entry_point(sources, targets, names, with_types):
    if not with_types:
        sources, targets = [list(ids) for ids in sources], [list(ids) for ids in targets]
    batch = make_batch(list(zip(sources, targets)))
    told = {name: batch[name] for name in names}
    if with_types:
        rows = [batch.get(name, batch["source"]) for name in ("source", "target_in", "target_out")]
        try:
            one_more = make_batch([([5], []), *([list(s), list(t)] for s, t in zip(sources, targets))])
            rows += [one_more[name] for name in ("source", "target_in", "target_out")]
        except Exception:
            pass
        types = {str(ids.dtype) if torch.is_tensor(ids) else "no tensor" for ids in rows}
        told["type of the ids"] = ", ".join(sorted(types - {"torch.int64"})) or "torch.int64"
    return told
"""


def _asked(make, ids="torch.int64"):
    """Turn a function of pairs into an answer to `entry_point`."""

    def answer(sources, targets, names, with_types):
        batch = make(list(zip(sources, targets, strict=True)))
        return {n: batch[n] for n in names} | ({"type of the ids": ids} if with_types else {})

    return answer


def _with(**wrong):
    """Make a batch of which some entries are made wrongly, from the pairs."""
    return _asked(lambda pairs: make_batch(pairs) | {name: make(pairs) for name, make in wrong.items()})


def _end_last(rows):
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[PAD_ID] * (longest - len(row)), EOS_ID] for row in rows])


def _framed(pairs):
    return padded([[BOS_ID, *target, EOS_ID] for _, target in pairs])


def _all_of_one_width(pairs):
    batch = make_batch(pairs)
    longest = max(batch["source"].shape[1], batch["target_in"].shape[1])
    wide = {n: padded([[*row, *[PAD_ID] * (longest - len(row))] for row in batch[n].tolist()]) for n in IDS}
    return wide | {"source_mask": (wide["source"] != PAD_ID).unsqueeze(1)}


IDS = ("source", "target_in", "target_out")


def pairs_of(rng, source_lengths, target_lengths):
    """Draw sources and targets of these lengths; some hold an unknown word, id 3, and a rare one."""
    sources, targets = (
        [rng.integers(4, 50, length).tolist() for length in lengths]
        for lengths in (source_lengths, target_lengths)
    )
    for ids in (sources[0], sources[-1], targets[-1]):
        ids[int(rng.integers(len(ids)))] = UNK_ID
    for ids in (max(sources, key=len), max(targets, key=len)):
        ids[int(rng.integers(1, len(ids))) if len(ids) > 1 else 0] = int(rng.integers(10_000, 40_000))
    sources[0][0] = UNK_ID
    return sources, targets


def source_batches(rng):
    """Yield pairs for the source, its mask, and types."""
    for lengths in [([4], [2]), ([7, 2, 5], [3, 4, 1]), ([1, 3, 6, 2], [2, 9, 5, 4]), ([2, 1, 5], [4, 1, 2])]:
        yield [*pairs_of(rng, *lengths), ["source", "source_mask"], True]


def target_batches(rng):
    """Yield pairs for the target, one of which is empty in each batch but the first."""
    for lengths in [([2, 4, 9], [6, 1, 4]), ([3, 2, 1, 4], [2, 0, 5, 3]), ([5, 2], [0, 1])]:
        yield [*pairs_of(rng, *lengths), ["target_in", "target_out"], False]
    yield [[[int(rng.integers(4, 50))]], [[]], ["target_in", "target_out"], False]


Q1 = Question(
    "q1",
    ASK_Q1,
    _asked(make_batch),
    [
        Part(
            "the source, its mask, and the types of all four",
            1,
            source_batches,
        ),
        Part(
            "the target, read and predicted",
            2,
            target_batches,
        ),
    ],
    [
        Misconception(
            "The source does not end in </s>.",
            _asked(
                lambda pairs: (
                    make_batch(pairs)
                    | {
                        "source": (bare := padded([source for source, _ in pairs])),
                        "source_mask": (bare != PAD_ID).unsqueeze(1),
                    }
                )
            ),
        ),
        Misconception(
            "The source begins with <s>. That mark is for what the decoder reads; the source has its words and </s>.",
            _asked(
                lambda pairs: (
                    make_batch(pairs)
                    | {
                        "source": (framed := padded([[BOS_ID, *source, EOS_ID] for source, _ in pairs])),
                        "source_mask": (framed != PAD_ID).unsqueeze(1),
                    }
                )
            ),
        ),
        Misconception(
            "</s> stands behind the padding. It follows the last word of its own sentence; then comes the padding.",
            _asked(
                lambda pairs: (
                    make_batch(pairs)
                    | {
                        "source": (source := _end_last([source for source, _ in pairs])),
                        "source_mask": (source != PAD_ID).unsqueeze(1),
                        "target_out": _end_last([target for _, target in pairs]),
                    }
                )
            ),
        ),
        Misconception(
            "Your mask is inverted: True stands where attention is allowed, at the real tokens.",
            _with(source_mask=lambda pairs: ~make_batch(pairs)["source_mask"]),
        ),
        Misconception(
            "Your mask has shape (B, L_s). The axis of the queries is missing, (B, 1, L_s): one row, which holds "
            "for every query.",
            _with(source_mask=lambda pairs: make_batch(pairs)["source_mask"].squeeze(1)),
        ),
        Misconception(
            "Your mask hides </s>. It is a token like the others; padding alone is hidden.",
            _with(
                source_mask=lambda pairs: (
                    (make_batch(pairs)["source_mask"]) & (make_batch(pairs)["source"] != EOS_ID).unsqueeze(1)
                )
            ),
        ),
        Misconception(
            "You pad on the left. Padding stands at the right end, or every sentence begins at another position.",
            _asked(
                lambda pairs: {
                    "source": (source := padded([[*s, EOS_ID] for s, _ in pairs], left=True)),
                    "source_mask": (source != PAD_ID).unsqueeze(1),
                    "target_in": padded([[BOS_ID, *t] for _, t in pairs], left=True),
                    "target_out": padded([[*t, EOS_ID] for _, t in pairs], left=True),
                }
            ),
        ),
        Misconception(
            "You shift after padding, so that in the shorter sentences target_in still holds </s>. Make the two rows "
            "of each sentence first, then pad.",
            _with(
                target_in=lambda pairs: _framed(pairs)[:, :-1],
                target_out=lambda pairs: _framed(pairs)[:, 1:],
            ),
        ),
        Misconception(
            "target_in holds </s>: nothing is predicted from it, so the decoder never reads it.",
            _with(target_in=_framed),
        ),
        Misconception(
            "target_in and target_out are the same: the decoder reads the token that it is to predict. "
            "target_in is one place behind, with <s> in front.",
            _with(
                target_in=lambda pairs: make_batch(pairs)["target_out"],
            ),
        ),
        Misconception(
            "target_out begins with <s>, which is never to be predicted.",
            _with(target_out=_framed),
        ),
        Misconception(
            "target_out does not end in </s>: the model would never learn to stop.",
            _with(target_out=lambda pairs: padded([target for _, target in pairs]).long()),
        ),
        Misconception(
            "target_in and target_out have changed places.",
            _with(
                target_in=lambda pairs: make_batch(pairs)["target_out"],
                target_out=lambda pairs: make_batch(pairs)["target_in"],
            ),
        ),
        Misconception(
            "Your mask hides the unknown word, id 3. It is a token like the others; padding alone is hidden.",
            _with(
                source_mask=lambda pairs: (
                    make_batch(pairs)["source_mask"] & (make_batch(pairs)["source"] != UNK_ID).unsqueeze(1)
                )
            ),
        ),
        Misconception(
            "Your mask is True everywhere, at padding too. Padding is to be hidden.",
            _with(source_mask=lambda pairs: torch.ones_like(make_batch(pairs)["source_mask"])),
        ),
        Misconception(
            "Your mask has shape (B, L_s, L_s): one row for each query. All rows are the same, and one is asked for: "
            "(B, 1, L_s).",
            _with(
                source_mask=lambda pairs: (m := make_batch(pairs)["source_mask"]).expand(-1, m.shape[2], -1)
            ),
        ),
        Misconception(
            "Pairs whose target is empty are left out. An empty target is allowed: <s> is read, and </s> predicted.",
            _asked(lambda pairs: make_batch([pair for pair in pairs if pair[1]])),
            sometimes="An empty target is allowed: <s> is read, and </s> is to be predicted.",
        ),
        Misconception(
            "Source and target are filled up to the same width. Each has a width of its own, that of its longest row.",
            _asked(_all_of_one_width),
        ),
        Misconception(
            "target_out is filled up with −100, as PyTorch's own loss likes it. Here padding is PAD_ID, 0.",
            _with(
                target_out=lambda pairs: make_batch(pairs)["target_out"].masked_fill_(
                    make_batch(pairs)["target_out"] == PAD_ID, -100
                )
            ),
            sometimes="In target_out, too, padding is PAD_ID, 0, not −100.",
        ),
        Misconception(
            "Your batch holds the first pair alone: each of the B pairs makes a row.",
            _asked(lambda pairs: make_batch(pairs[:1])),
            sometimes="Each of the B pairs makes a row of the batch.",
        ),
        *(
            Misconception(
                f"Your ids, or some of them, are of type {name}. They are whole numbers, of type torch.int64; of an "
                "empty list torch.tensor makes floats, unless you name the type.",
                _asked(make_batch, name),
            )
            for name in ("torch.float32", "torch.float64")
        ),
        *(
            Misconception(f"Your ids are of type {name}; asked for is torch.int64.", _asked(make_batch, name))
            for name in ("torch.int32", "torch.int16", "torch.uint8")
        ),
        Misconception(
            "Not all entries of your batch are PyTorch tensors: asked for are tensors, no lists or arrays.",
            _asked(make_batch, "no tensor"),
        ),
    ],
    forbidden=("course_lib.text.batches.*",),
    describe=lambda sources, targets, names, _: (
        f"make_batch({list(zip(sources, targets, strict=True))}), of which {' and '.join(names)} are asked for"
    ),
)

# ---- q2: the loss ----
#
# What the text says, and where it is tried:
# - any B, L_t, n_vocab: one sentence, one position, and several; 0 <= ε < 1: 0, small, nearly 1
# - one mean over the real tokens of all sentences: sentences of different lengths; </s> and the unknown word are real
# - targets that are <pad> have no part: also where the logits there are unlike the others
# - logits in single precision, as everywhere in this set
# - they may be large: thousands, rows of very different level (so that neither double precision nor one common
#   largest logit will do); in this part the losses are in the hundreds, which sets the tolerance
# - a gradient: of small logits without padding, so that no other mistake costs again


def token_losses(logits, targets, smoothing, others=False, skip_padding=False, axis=-1):
    """Return the smoothed cross-entropy at every position: (B, L_t, n_vocab), (B, L_t) -> (B, L_t)."""
    log_p = logits if axis is None else torch.log_softmax(logits, dim=axis)
    at_target = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    everywhere, n = log_p.sum(-1), logits.shape[-1]
    if others:  # the share is spread over the wrong tokens alone
        return -(1 - smoothing) * at_target - smoothing / (n - 1) * (everywhere - at_target)
    if skip_padding:
        return -(1 - smoothing) * at_target - smoothing / (n - 1) * (everywhere - log_p[..., PAD_ID])
    return -(1 - smoothing) * at_target - smoothing / n * everywhere


def smoothed_loss(logits, targets, smoothing):
    """Return the mean smoothed cross-entropy of the real tokens."""
    return token_losses(logits, targets, smoothing)[targets != PAD_ID].mean()


ASK_Q2 = """
def entry_point(logits, targets, smoothing, with_gradient):
    if not with_gradient:
        return smoothed_loss(logits, targets, smoothing)
    logits = logits.clone().requires_grad_()
    loss = smoothed_loss(logits, targets, smoothing)
    if not getattr(loss, "requires_grad", False):
        return {"the gradient": "none"}
    loss.sum().backward()
    return {"the gradient": logits.grad}
"""


def _traced(loss_of, lose=False):
    """Turn a loss into an answer to `entry_point`."""

    def answer(logits, targets, smoothing, with_gradient):
        logits = logits.double()
        if not with_gradient:
            return loss_of(logits, targets, smoothing)
        if lose:
            return {"the gradient": "none"}
        logits.requires_grad_()
        loss_of(logits, targets, smoothing).backward()
        return {"the gradient": logits.grad}

    return answer


def _real_mean(**how):
    return _traced(lambda x, t, s: token_losses(x, t, s, **how)[t != PAD_ID].mean())


def _share_of_each(logits, targets, smoothing):
    real = targets != PAD_ID
    everywhere = torch.log_softmax(logits, -1).sum(-1)[real].mean()
    return (1 - smoothing) * smoothed_loss(logits, targets, 0.0) - smoothing * everywhere


def _sentence_means(logits, targets, smoothing):
    real = targets != PAD_ID
    losses = token_losses(logits, targets, smoothing) * real
    return (losses.sum(1) / real.sum(1)).mean()


def _divergence(logits, targets, smoothing):
    n, right = logits.shape[-1], 1 - smoothing + smoothing / logits.shape[-1]
    wrong = smoothing / n
    entropy = -right * math.log(right) - ((n - 1) * wrong * math.log(wrong) if wrong else 0.0)
    if (loss := smoothed_loss(logits, targets, smoothing)) > 50:
        raise ValueError("so small a difference says nothing")
    return loss - entropy


def _overflowing(log_p):
    """Answer `entry_point` by logarithms that fail for large logits, in single precision; of others it says nothing."""

    def answer(logits, targets, smoothing, with_gradient):
        if with_gradient or logits.abs().max() < 100:
            raise ValueError("logits that are not large")
        logarithms = log_p(logits)
        at_target = logarithms.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
        losses = -(1 - smoothing) * at_target - smoothing * logarithms.mean(-1)
        return losses[targets != PAD_ID].mean()

    return answer


def predictions(rng, shares, padding=False, with_gradient=False):
    """Yield logits, targets and a share of smoothing; with padding, no two sentences have the same length."""
    sizes = [(2, 4, 7), (3, 5, 6), (4, 4, 9)] if padding else [(2, 4, 7), (1, 1, 5), (4, 3, 9)]
    for (n, length, n_vocab), smoothing in zip(sizes, shares, strict=True):
        targets = torch.from_numpy(rng.integers(UNK_ID, n_vocab, (n, length)))
        lengths = rng.permutation(range(length, length - n, -1)) if padding else [length] * n
        for row, real in enumerate(lengths):
            targets[row, real:] = PAD_ID
            targets[row, int(real) - 1] = EOS_ID
        targets[int(np.argmax(lengths)), 0] = UNK_ID
        logits = torch.from_numpy(2 * rng.standard_normal((n, length, n_vocab))).float()
        yield [logits, targets, smoothing, with_gradient]


def large_predictions(rng):
    """Yield logits that are large, and differ much from row to row."""
    for n, length, n_vocab in [(2, 3, 6), (1, 2, 8)]:
        targets = torch.from_numpy(rng.integers(EOS_ID, n_vocab, (n, length)))
        targets[0, 0], targets[-1, -1] = UNK_ID, EOS_ID
        logits = rng.uniform(-1.0, 1.0, (n, length, n_vocab))
        for row in logits.reshape(-1, n_vocab):
            row *= 1000 / np.abs(row).max()
        logits[..., 0, :] += 2500
        logits[..., -1, :] -= 2500
        yield [torch.from_numpy(logits).float(), targets, 0.2, False]


Q2 = Question(
    "q2",
    ASK_Q2,
    _traced(smoothed_loss),
    [
        Part("sentences without padding", 1, lambda rng: predictions(rng, [0.1, 0.85, 0.0])),
        Part(
            "padding",
            1,
            lambda rng: predictions(rng, [0.1, 0.35, 0.0], padding=True),
        ),
        Part("large logits", 1, large_predictions, tolerance=1e-4),
        Part("the gradient", 1, lambda rng: predictions(rng, [0.1, 0.85, 0.2], with_gradient=True)),
    ],
    [
        Misconception(
            "PyTorch cannot trace your loss back to the logits, so that nothing could be learned. Compute with tensors "
            "from beginning to end: no .item(), float(), .detach() or NumPy.",
            _traced(smoothed_loss, lose=True),
        ),
        Misconception(
            "The sign is missing: the loss is minus the mean log-probability, so it is positive.",
            _traced(lambda x, t, s: -smoothed_loss(x, t, s)),
        ),
        Misconception(
            "You spread ε over the wrong tokens alone. Here every token gets ε / n_vocab, the right one too.",
            _real_mean(others=True),
        ),
        Misconception(
            "You leave <pad> out when you spread ε. Here every token of the vocabulary gets its ε / n_vocab.",
            _real_mean(skip_padding=True),
        ),
        Misconception(
            "The smoothing is missing: this is the plain cross-entropy.",
            _traced(lambda x, t, s: smoothed_loss(x, t, 0.0)),
        ),
        Misconception(
            "1 − ε and ε have changed places.",
            _traced(lambda x, t, s: smoothed_loss(x, t, 1 - s)),
        ),
        Misconception(
            "Padding counts as a word to predict. Leave out the positions at which the target is <pad>.",
            _traced(lambda x, t, s: token_losses(x, t, s).mean()),
        ),
        Misconception(
            "You add up the real tokens, but divide by the number of all positions.",
            _traced(lambda x, t, s: (token_losses(x, t, s) * (t != PAD_ID)).mean()),
        ),
        Misconception(
            "You take the mean of each sentence, and then of these means: a word of a short sentence counts for more. "
            "Take one mean over all real tokens of the batch.",
            _traced(_sentence_means),
        ),
        Misconception(
            "This is the sum over all real tokens. Divide by how many there are.",
            _traced(lambda x, t, s: token_losses(x, t, s)[t != PAD_ID].sum()),
        ),
        Misconception(
            "This is the sum of all real tokens, divided by the number of sentences. Divide by that of real tokens.",
            _traced(lambda x, t, s: token_losses(x, t, s)[t != PAD_ID].sum() / len(t)),
        ),
        Misconception(
            "You take the softmax over the wrong axis: probabilities add up to 1 over the vocabulary, the last axis.",
            _real_mean(axis=1),
        ),
        Misconception(
            "You take the softmax over the wrong axis: probabilities add up to 1 over the vocabulary, the last axis.",
            _real_mean(axis=0),
        ),
        Misconception(
            "You use the logits as they are. They are not yet logarithms of probabilities: take log_softmax.",
            _real_mean(axis=None),
        ),
        Misconception(
            "You spread ε, but do not divide it by the size of the vocabulary, so that the wanted distribution adds up "
            "to more than 1.",
            _traced(lambda x, t, s: _share_of_each(x, t, s)),
        ),
        Misconception(
            "Padding has a part in the share ε. Leave it out of both pieces of the sum.",
            _traced(lambda x, t, s: smoothed_loss(x, t, 0.0) * (1 - s) - s * torch.log_softmax(x, -1).mean()),
        ),
        Misconception(
            "You leave out </s> as well. It is a token that the model has to predict; <pad> alone has no part.",
            _traced(lambda x, t, s: token_losses(x, t, s)[t > EOS_ID].mean()),
            sometimes="</s> and the unknown word are tokens that the model has to predict; <pad> alone has no part.",
        ),
        Misconception(
            "You leave out the unknown word. It is a token like the others; <pad> alone has no part.",
            _traced(lambda x, t, s: token_losses(x, t, s)[(t != PAD_ID) & (t != UNK_ID)].mean()),
        ),
        Misconception(
            "Your loss is a tensor of shape (1,). Asked for is one of shape (): a single number.",
            _traced(lambda x, t, s: smoothed_loss(x, t, s).reshape(1)),
        ),
        Misconception(
            "These are the losses of the positions. Take their mean over the real tokens.",
            _traced(lambda x, t, s: token_losses(x, t, s) * (t != PAD_ID)),
        ),
        Misconception(
            "These are the losses of the real tokens. Take their mean.",
            _traced(lambda x, t, s: token_losses(x, t, s)[t != PAD_ID]),
        ),
        Misconception(
            "Your logarithms have the base 2. The question's are natural logarithms, ln.",
            _traced(lambda x, t, s: smoothed_loss(x, t, s) / math.log(2)),
        ),
        Misconception(
            "This is the divergence between the wanted distribution and p. The cross-entropy does not subtract the "
            "wanted distribution's own entropy.",
            _traced(_divergence),
        ),
        Misconception(
            "Large logits: probabilities are rounded to 0, whose logarithm is −∞. Take the logarithm and "
            "the softmax in one: log_softmax, or logsumexp.",
            _overflowing(lambda x: torch.log(torch.softmax(x, -1))),
        ),
        Misconception(
            "Large logits: your loss is not finite. The exponentials of such logits are ∞ in single precision: use "
            "log_softmax or logsumexp, or subtract each row's largest logit first.",
            _overflowing(lambda x: x - torch.log(torch.exp(x).sum(-1, keepdim=True))),
        ),
        Misconception(
            "Large logits: you subtract one largest logit from all rows, and rows far below it become −∞. "
            "Subtract from each row its own largest.",
            _overflowing(lambda x: (x - x.max()) - torch.log(torch.exp(x - x.max()).sum(-1, keepdim=True))),
        ),
        *(
            Misconception(
                "Large logits: you keep the logarithm finite by a smallest probability, so that a token that is all "
                "but impossible costs too little. Take the logarithm and the softmax in one: log_softmax.",
                _overflowing(change),
            )
            for least in (1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15, 1e-16, 1e-20, 1e-30)
            for change in (
                lambda x, least=least: torch.log(torch.softmax(x, -1) + least),
                lambda x, least=least: torch.log(torch.softmax(x, -1).clamp(min=least)),
            )
        ),
    ],
    forbidden=(
        "torch.nn.functional.cross_entropy",
        "torch.nn.CrossEntropyLoss",
        "*.cross_entropy_loss*",
        "course_lib.fast.smoothed_cross_entropy",
        "course_lib.fast.loss.*",
    ),
    describe=lambda logits, targets, smoothing, _: described(smoothed_loss, [logits, targets, smoothing]),
)

# ---- q3: the learning rate, and one step ----
#
# What the text says, and where it is tried:
# - the rate before, at, just after and long after the end of the warm-up; a warm-up of one step
# - the rate is set in each group, whatever it was: two groups of other rates, and three, one of which had the rate 0,
#   in the part about short gradients alone
# - the gradient of this batch alone: several steps; what was left over before each has a part of its own, also ∞
# - one length over all parameters together, which is longer than max_norm while no parameter's, no group's and no
#   module's own is; a parameter that two modules share counts once; a shorter one stays, also where the sum of its
#   absolute values is larger than max_norm (with the short ones)
# - the optimiser takes its step: with a momentum for each of two groups, and Adam; these remember, and so show a step
#   that is not theirs; to Adam's first step the length of the gradient makes no difference, but a smaller rate and a
#   shorter change do
# - the loss before the step, as a plain number, no tensor and no array, from one call of loss_of, with a short gradient
#   and a long one: in a part of its own, and in no other
# - not tried, since the text excludes it: a parameter without a gradient, a gradient of 0, steps that need a closure


def rate_at(step, peak, warmup):
    """Return the learning rate of a step, counted from 1."""
    return peak * min(step / warmup, math.sqrt(warmup / step))


def _step(model, optimiser, loss_of, batch, rate, max_norm, **how):
    """Do one step of training as told; `how` makes it wrongly."""
    parameters = list(model.parameters())
    for number, group in enumerate(optimiser.param_groups):
        if not how.get("keep_rate") and not how.get("rate_late") and number not in how.get("without", ()):
            group["lr"] = rate
    if how.get("times_zero"):
        for parameter in parameters:
            parameter.grad = None if parameter.grad is None else 0 * parameter.grad
    elif not how.get("accumulate") and not how.get("clear_afterwards"):
        optimiser.zero_grad()
    if how.get("twice"):
        loss_of(model, batch)
    loss = loss_of(model, batch)
    loss.backward()
    clip = how.get("clip", "norm")
    norm = torch.linalg.vector_norm(torch.cat([p.grad.flatten() for p in parameters]))
    before = [p.detach().clone() for p in parameters] if clip == "change" else []
    if clip == "square":
        norm = norm**2
    if clip in ("shared", "shared twice", "nested"):  # what counts more than once in the length
        deep = clip == "nested"
        counted = [p for module in model.modules() for p in module.parameters(recurse=deep)]
        norm = torch.linalg.vector_norm(torch.cat([p.grad.flatten() for p in counted]))
    if clip == "norm":
        torch.nn.utils.clip_grad_norm_(parameters, max_norm)
    elif clip == "value":
        torch.nn.utils.clip_grad_value_(parameters, max_norm)
    elif clip == "each":
        for parameter in parameters:
            torch.nn.utils.clip_grad_norm_([parameter], max_norm)
    elif clip == "group":
        for group in optimiser.param_groups:
            torch.nn.utils.clip_grad_norm_(group["params"], max_norm)
    elif clip == "module":
        for module in model.modules():
            torch.nn.utils.clip_grad_norm_(module.parameters(recurse=False), max_norm)
    elif clip == "sum" and sum(float(p.grad.abs().sum()) for p in parameters) > max_norm:
        for parameter in parameters:
            parameter.grad *= max_norm / norm
    elif clip == "shared twice" and norm > max_norm:
        for parameter in counted:
            parameter.grad *= max_norm / norm
    elif clip == "always" or (clip in ("unit", "square", "shared", "nested") and norm > max_norm):
        for parameter in parameters:
            parameter.grad *= (1.0 if clip == "unit" else max_norm) / norm
    elif clip == "rate" and norm > max_norm:
        for group in optimiser.param_groups:
            group["lr"] = float(rate * max_norm / norm)
    if how.get("by_hand"):
        with torch.no_grad():
            for parameter in parameters:
                parameter -= rate * parameter.grad
    elif how.get("anew"):
        type(optimiser)(optimiser.param_groups, lr=rate).step()
    elif not how.get("no_step"):
        optimiser.step()
    if clip == "change":
        with torch.no_grad():
            changes = [p - old for p, old in zip(parameters, before, strict=True)]
            length = float(torch.linalg.vector_norm(torch.cat([change.flatten() for change in changes])))
            for parameter, old, change in zip(parameters, before, changes, strict=True):
                parameter.copy_(old + change * min(1.0, rate * max_norm / length))
    if how.get("clear_afterwards"):
        optimiser.zero_grad()
    if how.get("rate_late"):
        for group in optimiser.param_groups:
            group["lr"] = rate
    if how.get("late"):
        loss = loss_of(model, batch)
    return None if how.get("silent") else loss if how.get("tensor") else loss.item()


def after(train_step, what, weight, bias, xs, ys, rates, max_norm, kind):
    """Train a line on some batches; return what the loss is, or the parameters at the end."""

    class Line(torch.nn.Module):
        def __init__(self):
            super().__init__()
            first, second, third = self, self, None
            if kind == "of modules":
                self.parts = torch.nn.ModuleList(torch.nn.Module() for _ in range(3))
                first, second, third = self.parts
            first.weight = torch.nn.Parameter(weight.clone())
            second.bias = torch.nn.Parameter(bias.clone())
            if kind == "of modules":
                third.weight = first.weight
            if kind == "in three groups":
                self.shift = torch.nn.Parameter(bias.clone())

        def forward(self, x):
            first, second, *_ = self.parts if kind == "of modules" else (self, self)
            y = x @ first.weight + second.bias
            return y + self.shift if kind == "in three groups" else y

    calls = []

    def squares(model, batch):
        calls.append(batch)
        x, y = batch
        return ((model(x) - y) ** 2).mean()

    model = Line()
    parameters = list(model.parameters())
    groups = [{"params": parameters, "lr": 0.7}]
    if what == "short":
        groups = [{"params": [p], "lr": lr} for p, lr in zip(parameters, (0.7, 0.9, 0.0), strict=False)]
    if kind in ("in two groups", "momentum"):
        groups = [{"params": [parameter], "lr": rates[0]} for parameter in parameters]
    if kind == "momentum":
        groups[1]["momentum"] = 0.5
        optimiser = torch.optim.SGD(groups, lr=0.7, momentum=0.9)
    else:
        optimiser = (torch.optim.Adam if kind == "Adam" else torch.optim.SGD)(groups, lr=0.7)
    losses = []
    for batch, rate in zip(zip(xs, ys, strict=True), rates, strict=True):
        if what == "left over":
            for parameter in parameters:
                rest = (float("inf") if kind == "infinite" else 3.0) * parameter.detach()
                parameter.grad = rest if parameter.grad is None else parameter.grad + rest
        losses.append(train_step(model, optimiser, squares, batch, rate, max_norm))
    if what == "loss":
        is_array = type(losses[0]).__name__ == "ndarray"
        sort = "a tensor" if torch.is_tensor(losses[0]) else "an array" if is_array else "a plain number"
        return {"the loss": losses[0], "it is": sort, "calls of loss_of": len(calls)}
    return dict(zip(("weight", "bias", "shift"), parameters, strict=False))


ASK_Q3 = f"""
import torch

{inspect.getsource(after)}

def entry_point(what, *given):
    return rate_at(*given) if what == "rate" else after(train_step, what, *given)
"""


def _trained(**how):
    """Answer `entry_point` with steps that are done wrongly."""

    def step(*given):
        return _step(*given, **how)

    return lambda what, *given: rate_at(*given) if what == "rate" else after(step, what, *given)


def _if_loss(what, told):
    """Tell something else of the loss that is returned, where that is asked for."""
    return told if what == "loss" else {}


def _rated(rate):
    """Answer `entry_point` with another learning rate."""
    return lambda what, *given: rate(*given) if what == "rate" else after(_step, what, *given)


def rates(rng):
    """Yield steps before, at and after the end of the warm-up."""
    for step, warmup in [
        (1, 10),
        (7, 10),
        (10, 10),
        (11, 10),
        (40, 10),
        (3, 400),
        (5000, 400),
        (1, 1),
        (2, 1),
    ]:
        yield ["rate", step, float(rng.uniform(1e-3, 1.0)), warmup]


def trainings(rng, what, kinds=("plain", "plain"), max_norm=1000.0, steps=3):
    """Yield a line, some batches and a learning rate for each, the longest gradient allowed, and an optimiser."""
    for (d_in, d_out, n), kind in zip(((3, 2, 4), (2, 4, 5)), kinds, strict=True):
        yield [
            what,
            torch.from_numpy(rng.standard_normal((d_in, d_out))).float(),
            torch.from_numpy(rng.standard_normal(d_out)).float(),
            torch.from_numpy(rng.standard_normal((steps, n, d_in))).float(),
            torch.from_numpy(3 * rng.standard_normal((steps, n, d_out))).float(),
            rng.uniform(0.05, 0.2, steps).tolist(),
            max_norm,
            kind,
        ]


def _gradient(weight, bias, xs, ys):
    """Return the gradient of the first batch, as one long vector."""
    weight, bias = (t.clone().requires_grad_() for t in (weight, bias))
    loss = ((xs[0] @ weight + bias - ys[0]) ** 2).mean()
    return torch.cat([g.flatten() for g in torch.autograd.grad(loss, (weight, bias))])


def short_gradients(rng):
    """Yield an optimiser of two groups, one of three, and a gradient that is not much shorter than max_norm."""
    yield from trainings(rng, "short", ("plain", "in three groups"), steps=2)
    # Its absolute values add up to more than max_norm; what else is taken for its length (the sum of the lengths of
    # weight and bias, the length of their sums, its square) is less, so that such mistakes do not cost here.
    while True:
        what, weight, bias, xs, ys, rates, _, kind = next(trainings(rng, "short", steps=1))
        gradient, said = _gradient(weight, bias, xs, ys), xs @ weight + bias
        sums = torch.stack([part.sum() for part in gradient.split([weight.numel(), bias.numel()])])
        if gradient.abs().sum() > 1.8 * gradient.norm() and sums.abs().sum() < 1.4 * gradient.norm():
            ys = said + (ys - said) * 0.4 / gradient.norm()  # the gradient grows with the error
            yield [what, weight, bias, xs, ys, rates, 1.6 * 0.4, kind]
            return


def long_gradients(rng):
    """Yield steps whose gradient is too long although no parameter's own is, and two far too long."""
    for kind in ("in two groups", "of modules"):
        what, weight, bias, xs, ys, rates, *_ = next(trainings(rng, "long", steps=1))
        # All words have the same error, of length 2, and their mean has length 1: so both gradients have length 2.
        mean, error = (t / t.norm() for t in (xs.mean(1, keepdim=True), ys.mean(1, keepdim=True)))
        xs = xs - xs.mean(1, keepdim=True) + mean
        ys = xs @ weight + bias - 2 * error
        yield [what, weight, bias, xs, ys, rates, 1 + math.sqrt(2), kind]
    long = next(trainings(rng, "long", steps=2))
    yield [*long[:6], float(_gradient(*long[1:5]).norm()) / 12, long[7]]


def memories(rng):
    """Yield optimisers that remember; the last takes one step, to which the length of the gradient does not matter."""
    first, second = trainings(rng, "memory", ("momentum", "Adam"), steps=2)
    first[5] = [first[5][0]] * 2  # each group had this rate before: that it is set is for another part
    yield first
    yield second
    # The gradient grows with the error: this one has length 2.
    what, weight, bias, xs, ys, rates, _, kind = next(trainings(rng, "memory", ("Adam", "Adam"), steps=1))
    said = xs @ weight + bias
    ys = said + (ys - said) * 2 / _gradient(weight, bias, xs, ys).norm()
    yield [what, weight, bias, xs, ys, rates, 1.0, kind]


def losses(rng):
    """Yield a step with a short gradient, and one with a gradient that is far too long."""
    first, second = trainings(rng, "loss", steps=1)
    yield first
    yield [*second[:6], 0.1 * float(_gradient(*second[1:5]).norm()), second[7]]


def _training(what, *given):
    """Say what was tried."""
    if what == "rate":
        return described(rate_at, given)
    weight, _, xs, _, rates, max_norm, kind = given
    told = {
        "in two groups": "torch.optim.SGD with two groups of parameters",
        "in three groups": "torch.optim.SGD with three groups of parameters",
        "momentum": "torch.optim.SGD with two groups of parameters, which have momentum=0.9 and momentum=0.5",
        "Adam": "torch.optim.Adam",
    }
    optimiser = "in two groups" if what == "short" and kind == "plain" else kind
    parameters = f"a weight of shape {tuple(weight.shape)} and a bias"
    return (
        f"{told.get(optimiser, 'torch.optim.SGD')}, a model with {parameters}"
        + (" and another" if kind == "in three groups" else "")
        + (
            " in modules of their own, and a third module that shares the weight"
            if kind == "of modules"
            else ""
        )
        + (", one step with the rate " if len(xs) == 1 else f", {len(xs)} steps with the rates ")
        + f"{', '.join(f'{rate:.3g}' for rate in rates)}, max_norm = {max_norm:.3g}"
        + (", where the groups had the rates 0.7, 0.9 and 0" if kind == "in three groups" else "")
        + (
            f", with {'infinite ' if kind == 'infinite' else ''}gradients left over before each step"
            if what == "left over"
            else ""
        )
    )


Q3 = Question(
    "q3",
    ASK_Q3,
    _trained(),
    [
        Part("the learning rate", 1, rates),
        Part("steps with short gradients", 1, short_gradients),
        Part("steps with long gradients, which are clipped", 0.5, long_gradients),
        Part("optimisers that remember, with momentum and Adam", 0.5, memories, tolerance=1e-4),
        Part(
            "gradients left over from before",
            0.5,
            lambda rng: trainings(rng, "left over", ("plain", "infinite"), steps=2),
        ),
        Part("the loss that is returned", 0.5, losses),
    ],
    [
        Misconception(
            "rate_at: after the warm-up the rate falls as 1/√step, not as 1/step.",
            _rated(lambda step, peak, warmup: peak * min(step / warmup, warmup / step)),
        ),
        Misconception(
            "rate_at: there is no warm-up: up to step `warmup` the rate rises in a straight line.",
            _rated(lambda step, peak, warmup: peak * min(1.0, math.sqrt(warmup / step))),
        ),
        Misconception(
            "rate_at: your rate stays at its peak after the warm-up. It falls as 1/√step.",
            _rated(lambda step, peak, warmup: peak * min(1.0, step / warmup)),
        ),
        Misconception(
            "rate_at: your rate goes on rising after the warm-up. From step `warmup` on it falls as 1/√step.",
            _rated(lambda step, peak, warmup: peak * step / warmup),
        ),
        Misconception(
            "rate_at: your rate falls from the first step on. Up to step `warmup` it rises in a straight line.",
            _rated(lambda step, peak, warmup: peak * math.sqrt(warmup / step)),
        ),
        Misconception(
            "rate_at: during the warm-up the step is not divided by `warmup`.",
            _rated(lambda step, peak, warmup: peak * min(step, math.sqrt(warmup / step))),
        ),
        Misconception(
            "rate_at: you take the larger of the two branches. Which of them holds before the end of the warm-up?",
            _rated(lambda step, peak, warmup: peak * max(step / warmup, math.sqrt(warmup / step))),
        ),
        Misconception(
            "rate_at: after the warm-up your rate jumps to peak/√step. The two branches meet at step `warmup`, where "
            "the rate is the peak.",
            _rated(
                lambda step, peak, warmup: peak * (step / warmup if step <= warmup else 1 / math.sqrt(step))
            ),
        ),
        Misconception(
            "rate_at: you count steps from 0. The first step is 1.",
            _rated(lambda step, peak, warmup: rate_at(step + 1, peak, warmup)),
        ),
        Misconception(
            "rate_at: you subtract 1 from the step. Steps count from 1, so that step `warmup` itself has the peak.",
            _rated(
                lambda step, peak, warmup: (
                    peak * ((step - 1) / warmup if step <= warmup else math.sqrt(warmup / step))
                )
            ),
        ),
        Misconception(
            "rate_at: your rate at step `warmup` is peak/√warmup. The rate there is the peak itself.",
            _rated(lambda step, peak, warmup: rate_at(step, peak, warmup) / math.sqrt(warmup)),
        ),
        Misconception(
            "rate_at: after the warm-up you count steps from its end. Count from the beginning: √(warmup/step).",
            _rated(
                lambda step, peak, warmup: (
                    peak * (step / warmup if step <= warmup else 1 / math.sqrt(step - warmup))
                )
            ),
        ),
        Misconception(
            "rate_at: you divide by //, which rounds down. Use /.",
            _rated(lambda step, peak, warmup: peak * min(step // warmup, math.sqrt(warmup // step))),
        ),
        Misconception(
            "rate_at: after the warm-up you divide by //, which rounds down. Use /.",
            _rated(
                lambda step, peak, warmup: (
                    peak * (step / warmup if step <= warmup else 1 / math.sqrt(step // warmup))
                )
            ),
        ),
        Misconception(
            "You clear the gradients after the step, so that those left over from before still count. "
            "Clear them before backward().",
            _trained(clear_afterwards=True),
        ),
        Misconception(
            "A gradient that is left over may be ∞, and neither ∞ · 0 nor ∞ − ∞ is 0. Forget what is left over, by "
            "optimiser.zero_grad(), in place of reckoning with it.",
            _trained(times_zero=True),
        ),
        Misconception(
            "train_step returns a tensor. Return a plain number, by .item().",
            _trained(tensor=True),
        ),
        Misconception(
            "train_step returns an array, of no axes. Return a plain number, by .item().",
            lambda what, *given: _trained()(what, *given) | _if_loss(what, {"it is": "an array"}),
        ),
        Misconception(
            "train_step returns a tensor, and the loss after the step. Return the one that backward() "
            "started from, as a plain number, by .item().",
            _trained(tensor=True, late=True),
        ),
        Misconception(
            "The gradients of earlier steps are still there: backward() adds to what it finds. Clear them with "
            "optimiser.zero_grad() before it.",
            _trained(accumulate=True),
        ),
        Misconception(
            "The parameters never change. Does zero_grad() stand between backward() and step(), or is step() missing?",
            _trained(no_step=True),
        ),
        Misconception(
            'The optimiser keeps the rate that it was made with. Set group["lr"] for each group in '
            "optimiser.param_groups.",
            _trained(keep_rate=True),
        ),
        Misconception(
            "You set the rate after the step, which is then taken with the rate before. Set it before step().",
            _trained(rate_late=True),
        ),
        Misconception(
            "Only the first group of parameters gets the new rate. Loop over optimiser.param_groups.",
            _trained(without=(1, 2)),
        ),
        Misconception(
            "Where there are three groups of parameters, the second keeps its old rate. Loop over "
            "optimiser.param_groups.",
            lambda what, *given: _trained(without=(1,) if given[-1] == "in three groups" else ())(
                what, *given
            ),
        ),
        Misconception(
            "Where there are three groups of parameters, the third, which had the rate 0, keeps it. Set "
            'group["lr"] for each group in optimiser.param_groups, whatever it was.',
            _trained(without=(2,)),
        ),
        Misconception(
            "The first group of parameters keeps its old rate. Loop over all of optimiser.param_groups.",
            _trained(without=(0,)),
        ),
        Misconception(
            "train_step returns nothing. Return the loss, as a number.",
            lambda what, *given: _trained()(what, *given) | _if_loss(what, {"the loss": None}),
        ),
        Misconception(
            "You call loss_of twice. Call it once, and return the loss that backward() started from: with dropout, "
            "each call gives another one.",
            _trained(twice=True),
        ),
        Misconception(
            "The loss that you return is computed after the step; return the one that backward() started from.",
            _trained(late=True),
        ),
        Misconception(
            "The gradient is not shortened, or only after the step: clip between backward() and step().",
            _trained(clip="not"),
        ),
        Misconception(
            "You cut off every number of the gradient by itself. Shorten the whole gradient by one factor, so that "
            "its direction stays.",
            _trained(clip="value"),
        ),
        Misconception(
            "You shorten the gradient of each parameter by itself. There is one length, over all parameters together.",
            _trained(clip="each"),
        ),
        Misconception(
            "You shorten the gradient of each of the optimiser's groups by itself. There is one length, over all "
            "parameters together.",
            _trained(clip="group"),
        ),
        Misconception(
            "You shorten the gradient of each module by itself. There is one length, over all parameters together.",
            _trained(clip="module"),
        ),
        *(
            Misconception(
                "A parameter that two modules share counts twice in your gradient's length. Take each once, as "
                "model.parameters() does.",
                _trained(clip=clip),
            )
            for clip in ("shared", "shared twice")
        ),
        Misconception(
            "Parameters of a module within a module count more than once in your gradient's length. Take each once, as "
            "model.parameters() does.",
            _trained(clip="nested"),
        ),
        Misconception(
            "You compare the sum of the gradient's absolute values with max_norm. Compare its length, the root of the "
            "sum of squares.",
            _trained(clip="sum"),
        ),
        Misconception(
            "You bring every gradient to the length max_norm. A shorter one stays as it is.",
            _trained(clip="always"),
        ),
        Misconception(
            "You take the square of the gradient's length for the length: the root is missing.",
            _trained(clip="square"),
        ),
        Misconception(
            "You shorten a long gradient to the length 1. It is to have the length max_norm.",
            _trained(clip="unit"),
        ),
        Misconception(
            "You take a smaller rate in place of a shorter gradient. With plain gradient descent that comes to the "
            "same, with another optimiser, such as Adam, it does not. Change the gradient itself.",
            _trained(clip="rate"),
        ),
        Misconception(
            "You shorten the change of the parameters in place of the gradient. With plain gradient descent that comes "
            "to the same, with another optimiser, such as Adam, it does not. Change the gradient itself, before the "
            "step.",
            _trained(clip="change"),
        ),
        Misconception(
            "You change the parameters yourself, as plain gradient descent does. The optimiser given may do something "
            "else: these have momentum, or are Adam. Let optimiser.step() do it.",
            _trained(by_hand=True),
        ),
        Misconception(
            "You make a new optimiser in each step, which knows nothing of the steps before. Let the one "
            "given take the step: optimiser.step().",
            _trained(anew=True),
            sometimes="The optimiser given remembers its steps, and a new one does not: let optimiser.step() take "
            "each.",
        ),
    ],
    forbidden=("course_lib.training.learning_rate", "course_lib.training.Trainer"),
    describe=_training,
)

# ---- q4: beam search ----
#
# What the text says, and where it is tried. The tables are such that each known mistake shows where it is to cost, and
# nowhere else, so that a mistake costs the same for every student.
# - k places for which all candidates compete: the first part, α = 0, where every sentence ends by itself; there the
#   places of what is finished make no difference. k = 1, too
# - a width larger than the vocabulary: a part of its own; there a beginning's tenth token may lead to the best
# - logarithms are added up, and `max_length` may be 500: a translation of 498 words, whose probability is no number of
#   Python's, and whose logarithm lies far below −1000; k = 1, so that nobody's search grows without end
# - places are free again, only the best k end, nothing ends early, L and α: with a penalty; every sentence ends; in one
#   case 16 translations end before the best one does
# - those that are finished do not compete any more, by their score either; all of them are compared by their score, and
#   not only the k likeliest: with a penalty, where 17 are finished; k = 1 with a penalty
# - every token counts, however rare: with a penalty, where one of e⁻³⁰⁰ leads to the best translation, and those of
#   ln p = −∞ lead nowhere
# - L of what is cut: with a penalty, where a cut one would win if it were one token longer; there, and nowhere else,
#   the best translation is the empty one
# - what is cut counts as finished, `max_length` tokens are allowed, and may all be there, </s> the last: without a
#   penalty; also for k = 1
# - what is cut has its own L, and its penalty: of two translations of the same length, one is cut, and the penalty of
#   both is the same, so that no mistake in the penalty shows; the ids alone are asked for
# - not tried, since the text excludes it: a best translation that holds <pad> or <s>, a negative α
# - not tried, since it would cost others twice: a bound for ending early that is one token too short (to be seen, the
#   best has to have `max_length` tokens and win by the penalty), and cut ones that count only where fewer than k are
#   finished (who stops when k are finished returns the same)


def _search(row_of, width, max_length, alpha, **how):
    """Search as the question says; `how` makes a mistake. Probabilities are told by `row_of`, as a list."""
    living, finished, stop = [([BOS_ID], 0.0)], [], how.get("stop")
    for _ in range(max_length - how.get("fewer", 0) + how.get("more", 0)):
        if not living or (how.get("shrink") and len(finished) >= width):
            break
        groups = []
        for ids, log_p in living:
            row = row_of(ids)
            if how.get("free_end"):
                row = [*row[:EOS_ID], 0.0, *row[EOS_ID + 1 :]]
            sums = row if how.get("forget_past") else [log_p + value for value in row]
            best_first = sorted(((p, ids, token) for token, p in enumerate(sums)), key=lambda c: -c[0])
            groups.append(best_first[: how.get("tokens")])
        if how.get("no_pruning"):  # of the rest there would be too many
            kept = [c for group in groups for c in group[:width] if c[0] > -55.0 or -350.0 < c[0] < -250.0]
        elif how.get("shared_out"):
            kept = [c for group in groups for c in group[: max(1, width // len(groups))]]
        else:
            ranked = sorted((c for group in groups for c in group), key=lambda c: -c[0])
            kept = ranked[: width - (len(finished) if how.get("shrink") else 0)]
        if how.get("pool"):
            power = alpha if how["pool"] == "by score" else 0.0
            new = [p / (5 + len(ids)) ** power for p, ids, _ in kept]
            old = [p / (5 + len(ids) - 1) ** power for ids, p in finished]
            worst = sorted(new + old, reverse=True)[:width][-1]
            kept = [c for c, value in zip(kept, new, strict=True) if value >= worst]
            finished = [entry for entry, value in zip(finished, old, strict=True) if value >= worst]
        if how.get("every_end"):
            kept += [c for c in ranked[width:] if c[2] == EOS_ID]
        going = [c for c in kept if c[2] != EOS_ID]
        if how.get("refill"):
            going = [c for c in ranked if c[2] != EOS_ID][:width]
        finished += [([*ids, token], p) for p, ids, token in kept if token == EOS_ID]
        living = [([*ids, token], p) for p, ids, token in going]
        best = max((p / (5 + len(ids) - 1) ** alpha for ids, p in finished), default=-math.inf)
        if (
            (finished and stop == "first")
            or (len(finished) >= width and stop == "k")
            or (len(finished) >= width and stop == "end first" and ranked[0][2] == EOS_ID)
            or (stop == "score" and all(best >= p / (5 + len(ids) - 1) ** alpha for ids, p in living))
            or (stop == "ln p" and max([p for _, p in finished], default=-math.inf) >= _best(living))
        ):
            living = living if how.get("cut_there") else []
            break
    if how.get("forget_cut") and finished:
        living = []
    extra, power = how.get("extra", 0), how.get("sign", 1) * (1.0 if how.get("no_power") else alpha)

    def score(hypothesis):
        ids, log_p = hypothesis
        tokens = len(ids) - 1 - (how.get("no_end", 0) and ids[-1] == EOS_ID) + extra
        tokens += how.get("cut_longer", 0) * (ids[-1] != EOS_ID)
        if how.get("cut_bare") and ids[-1] != EOS_ID:
            return log_p
        return log_p / (max(tokens, 1) if how.get("plain_length") else (5 + tokens) / 6) ** power

    def rank(hypothesis):
        return hypothesis[1] if how.get("rank_by_log_p") else score(hypothesis)

    ended = finished + living
    if how.get("likeliest"):
        ended = sorted(ended, key=lambda hypothesis: -hypothesis[1])[:width]
    best = max(ended, key=rank)
    kept_marks = how.get("marks", ())
    ids = [i for i in best[0] if i not in (BOS_ID, EOS_ID) or i in kept_marks]
    if how.get("cut_loses_a_word"):
        ids = best[0][1:-1]
    return [ids, best[1] if how.get("log_p") else score(best)]


def _best(living):
    return max((p for _, p in living), default=-math.inf)


def table_model(table, shortest):
    """Make next_log_p from a table of logits: place, token before last, last token, next token.

    Before a translation has `shortest` tokens, </s> is impossible.
    """

    def next_log_p(prefixes):
        rows = []
        for prefix in prefixes:
            place = min(len(prefix), len(table)) - 1
            before = int(prefix[-2]) % table.shape[1] if place else 0
            row = table[place, before, int(prefix[-1]) % table.shape[2]].clone()
            if len(prefix) < shortest:
                row[2] = -torch.inf
            rows.append(torch.log_softmax(row, -1))
        return torch.stack(rows)

    return next_log_p


ASK_Q4 = f"""
import torch

{inspect.getsource(table_model)}

def entry_point(table, shortest, width, max_length, alpha, ids_alone=False):
    found = beam_search(table_model(table, shortest), width, max_length, alpha)
    if isinstance(found, (list, tuple)) and len(found) == 2:
        if hasattr(found[0], "tolist"):
            found = [found[0].tolist(), found[1]]  # an array or a tensor of ids will do, an empty one, too
        return found[:1] if ids_alone else found
    return found
"""


def _rows(table, shortest):
    """Make the rows of a table_model as lists, one beginning at a time."""
    rows = torch.log_softmax(table, -1).tolist()
    early = table.clone()
    early[..., EOS_ID] = -math.inf
    early = torch.log_softmax(early, -1).tolist()

    def row_of(ids):
        place = min(len(ids), len(rows)) - 1
        row = (rows if len(ids) >= shortest else early)[place]
        row = row[int(ids[-2]) % len(row) if place else 0]
        return row[ids[-1] % len(row)]

    return row_of


def _found(**how):
    """Answer `entry_point` by a search; `how` makes a mistake."""
    rest = {name: value for name, value in how.items() if name not in ("width", "most", "alpha", "too_many")}

    def answer(table, shortest, width, max_length, alpha, ids_alone=False):
        most = table.shape[-1] if how.get("most") == "tokens" else width
        found = _search(
            _rows(table, shortest),
            how.get("width") or min(width, most) + how.get("too_many", 0),
            max_length,
            how.get("alpha", alpha),
            **rest,
        )
        return found[:1] if ids_alone else found

    return answer


def _multiplied(table, shortest, width, max_length, alpha, ids_alone=False):
    """Search by products of probabilities."""
    ids, p, row_of = [BOS_ID], 1.0, _rows(table, shortest)
    if width != 1 or alpha:
        raise ValueError("shown by long translations alone")
    while len(ids) <= max_length and ids[-1] != EOS_ID:
        products = [p * math.exp(value) for value in row_of(ids)]
        p = max(products)
        ids = [*ids, products.index(p)]
    return [[i for i in ids if i not in (BOS_ID, EOS_ID)], math.log(p) if p else -math.inf]


def _table(rng, places=5, n_vocab=7, end=-0.5, sharp=1.5, must_end=True):
    """Draw a table of logits; <pad> and <s> hardly ever follow, and at the last place </s> does.

    From the third place on, the larger `sharp`, the surer is the model of its next word, and the less each costs.
    """
    logits = 1.5 * rng.standard_normal((places, n_vocab, n_vocab, n_vocab))
    logits[2:] *= sharp / 1.5
    logits[..., [PAD_ID, BOS_ID]] = -30.0
    logits[:2, ..., EOS_ID] += end
    logits[2:, ..., EOS_ID] += min(end, 1.5 - 2 * sharp)
    if must_end:
        logits[-1, ..., EOS_ID] += 90.0
    return torch.from_numpy(logits)


FIRST = [{"stop": "first"}, {"stop": "first", "cut_there": True}]
REFILLED = [{"refill": True}, {"refill": True, "stop": "k"}]
K_FINISHED = [{"stop": "k"}, {"stop": "k", "cut_there": True}]


# Numbers of tables, each with a width and α, found by trying 1, 2, 3, …: in each row every mistake of `Q4` that is to
# cost in its part shows, and none of the others does. Sums in single precision give the same everywhere.
PLAIN = [
    [(2, 3, 0), (17, 3, 0), (111, 2, 0)],
    [(114, 2, 0), (118, 2, 0), (120, 2, 0)],
    [(121, 3, 0), (133, 2, 0), (232, 2, 0)],
    [(233, 2, 0), (234, 3, 0), (238, 2, 0), (486, 2, 0)],
]
PENALISED = [
    [(1, 3, 0.6), (5, 4, 1), (12, 2, 1.7), (81, 3, 0.6), (132, 2, 1), (443, 2, 1.7)],
    [
        (445, 3, 0.6),
        (447, 4, 1),
        (449, 2, 1.7),
        (485, 2, 0.6),
        (600, 3, 1),
        (624, 2, 1.7),
        (2630, 2, 0.6),
        (113, 2, 1.7),
    ],
    [
        (2632, 4, 0.6),
        (2635, 2, 1),
        (2646, 3, 1.7),
        (2774, 2, 0.6),
        (2792, 2, 1),
        (2810, 3, 1.7),
        (3185, 2, 0.6),
        (3285, 2, 1),
    ],
    [
        (3286, 4, 0.6),
        (3288, 3, 1),
        (3289, 2, 1.7),
        (3316, 4, 0.6),
        (3466, 2, 1),
        (3510, 2, 1.7),
        (3883, 2, 0.6),
        (12, 2, 1.7),
    ],
]
ENDS_KEPT = [[(69, 2, 0.6)], [(464, 2, 0.6)], [(900, 2, 0.6)], [(1176, 2, 0.6)]]
CUT_LONGER = [[(48, 2, 1.7)], [(50, 3, 1.7)], [(55, 2, 1.7)], [(134, 3, 1.7)]]
CUT = [
    [(4, 3, 0), (28, 3, 0), (194, 3, 0)],
    [(195, 2, 0), (217, 2, 0), (226, 3, 0)],
    [(227, 3, 0), (231, 3, 0), (239, 3, 0)],
    [(240, 3, 0), (309, 3, 0)],
]
ALL_CUT = [[(12, 3, 0)], [(13, 2, 0)], [(14, 2, 0)], [(20, 3, 0)], [(24, 3, 0)], [(27, 3, 0)]]
CUT_AT_ONCE = [[(5, 2, 0)], [(6, 2, 0)], [(8, 2, 0)], [(23, 2, 0)], [(33, 2, 0)], [(35, 2, 0)]]


def searches(rng, rows, max_length=6, **drawn):
    """Yield searches in the tables of one row, in which the words have changed places."""
    for number, width, alpha in rows[int(rng.integers(len(rows)))]:
        table = _table(np.random.default_rng(number), **drawn)
        order = [*range(UNK_ID), *rng.permutation(range(UNK_ID, table.shape[-1]))]
        yield [table[:, order][:, :, order][..., order], 1, width, max_length, float(alpha)]


def plain_searches(rng):
    """Yield searches without a penalty, in which every sentence ends.

    Without a penalty nothing that ranks below a finished candidate can win: refilling its place changes nothing.
    """
    yield from searches(rng, PLAIN)
    yield from searches(rng, [[(number, 1, 0)] for number in (17, 28, 35, 59, 76, 89)])


def wide_searches(rng):
    """Yield searches with more places than tokens, five; the best translation is not among the first five for good."""
    for width in (19, 20):
        yield next(case for case in _wide(rng, width) if len(set(_results(case))) == 3)
    yield tenth_token(rng)


def tenth_token(rng):
    """Return a search in which the best translation begins with the rarest of ten words."""
    rare = int(rng.integers(UNK_ID, 13))
    table = torch.full((3, 1, 13, 13), -30.0, dtype=torch.float64)
    table[0, ..., UNK_ID:] = torch.from_numpy(rng.uniform(1.0, 1.3, 10))
    table[0, ..., rare] = 0.7
    table[1, ..., UNK_ID:] = torch.from_numpy(rng.uniform(-0.02, 0.02, (13, 10)))
    table[1, :, rare, EOS_ID] = 30.0
    table[2, ..., EOS_ID] = 90.0
    return [table, 1, 20, 6, 0.0]


def _results(case):
    """Return what a search gives, a greedy one, and one with as many places as tokens."""
    return [tuple(_found(**how)(*case)[0]) for how in ({}, {"width": 1}, {"most": "tokens"})]


def _wide(rng, width):
    while True:
        first = int(rng.choice([3, 4]))
        table = torch.full((5, 5, 5, 5), -30.0, dtype=torch.float64)
        table[..., [3, 4]] = torch.from_numpy(rng.uniform(-0.02, 0.02, (5, 5, 5, 2)))
        last = int(rng.choice([3, 4]))
        table[2, :, first, last] -= 0.3
        table[3, ..., EOS_ID] = 0.0
        table[3, first, last, EOS_ID] = 5.0
        table[4, ..., EOS_ID] = 90.0
        yield [table, 1, width, 6, 0.0]


def long_searches(rng):
    """Yield a translation of 498 words, of which none has a large probability, and one of 20."""
    for n_words in (498, 20):
        logits = torch.from_numpy(rng.uniform(-0.5, 0.5, (1, 1, 6, 100)))
        logits[..., int(rng.integers(UNK_ID, 100))] = (
            0.7  # clearly the best: neither rounding nor a second place matters
        )
        logits[..., EOS_ID] = 20.0
        logits[..., [PAD_ID, BOS_ID]] = -30.0
        yield [logits, n_words + 1, 1, 500, 0.0]


def _logarithms(rng, *shape):
    """Return a table in which nothing is possible yet; there are no ties."""
    return torch.from_numpy(rng.uniform(-920.0, -900.0, shape))


def last_of_many(rng):
    """Return a search in which one translation ends at each step, and the last of 17 is the best."""
    table = _logarithms(rng, 17, 1, 1, 5)
    table[:-1, ..., EOS_ID] = math.log(0.15)
    for place in range(16):
        table[place, ..., int(rng.integers(UNK_ID, 5))] = math.log(0.85)
    table[-1, ..., EOS_ID] = 0.0
    return [table, 1, 2, 20, 1.7]


def rare_beginning(rng):
    """Return a search in which the best translation begins with a word that is hardly possible."""
    table = torch.full((5, 1, 7, 7), -math.inf, dtype=torch.float64)
    table[1:, ..., EOS_ID] = 0.0
    rare, *others = rng.permutation(range(UNK_ID, 7)).tolist()
    table[0, ..., EOS_ID], table[0, ..., rare] = math.log(0.5), -300.0
    table[0, ..., others] = torch.log(torch.tensor([0.15, 0.165, 0.185], dtype=torch.float64))
    table[1:4, :, rare, EOS_ID], table[1:4, :, rare, rare] = -900.0, 0.0
    return [table, 1, 5, 6, 20.0]


def overtaken(rng):
    """Return a search in which two short translations have the best scores for long, and the likeliest end, too."""
    length = int(rng.integers(9, 12))
    table = _logarithms(rng, length, 1, 1, 6)
    table[0, ..., EOS_ID], table[0, ..., int(rng.integers(UNK_ID, 6))] = math.log(0.45), math.log(0.55)
    table[1, ..., EOS_ID], table[1, ..., int(rng.integers(UNK_ID, 6))] = math.log(0.6), math.log(0.4)
    for place in range(2, length - 1):
        table[place, ..., int(rng.integers(UNK_ID, 6))] = 0.0
    table[-1, ..., EOS_ID] = 0.0
    return [table, 1, 2, length + 2, 1.0]


def one_place(rng):
    """Return a search with one place, which ends though what is less likely would lead to a better score."""
    table = _logarithms(rng, 7, 1, 1, 6)
    first, second, third = rng.permutation([3, 4, 5]).tolist()
    table[0, ..., [first, second, EOS_ID]] = torch.log(torch.tensor([0.5, 0.4, 0.1], dtype=torch.float64))
    table[1, ..., [EOS_ID, third]] = torch.log(torch.tensor([0.6, 0.4], dtype=torch.float64))
    table[2:-1, ..., first] = 0.0
    table[-1, ..., EOS_ID] = 0.0
    return [table, 1, 1, 9, 1.7]


def one_place_cut(rng):
    """Return a search with one place that is cut; it would end by itself later."""
    table = _logarithms(rng, 6, 1, 1, 6)
    for place in range(5):
        table[place, ..., int(rng.integers(UNK_ID, 6))] = math.log(0.95)
        table[place, ..., EOS_ID] = math.log(0.05)
    table[-1, ..., EOS_ID] = 0.0
    return [table, 1, 1, 3, 0.0]


def cut_and_penalised(rng):
    """Return a search in which one is cut and another ends at the last step, a bit less likely; the ids are asked for.

    Both have the same length, so that it makes no difference how the penalty is computed, if it is for both.
    """
    table = _logarithms(rng, 3, 1, 1, 6)
    # The empty one ends at once, so that who stops at the first that ends finds another translation; after that, an
    # end is far less likely than the second word, which takes the third place.
    for place in range(2):
        first, second, _ = rng.permutation([3, 4, 5]).tolist()
        table[place, ..., first], table[place, ..., second] = math.log(0.94), math.log(1e-6)
    table[0, ..., EOS_ID] = math.log(0.06)
    table[2, ..., int(rng.integers(UNK_ID, 6))], table[2, ..., EOS_ID] = math.log(0.53), math.log(0.47)
    return [table, 1, 3, 3, 1.7, True]


def ends_at_the_last_step(rng):
    """Return a search in which all translations end at the last step that is allowed."""
    table = _logarithms(rng, 3, 1, 1, 5)
    first, second = rng.permutation([3, 4]).tolist()
    table[0, ..., first], table[0, ..., second] = math.log(0.7), math.log(0.3)
    table[1, ..., first], table[1, ..., second] = math.log(0.8), math.log(0.2)
    table[2, ..., EOS_ID] = 0.0
    return [table, 1, 2, 3, 0.0]


def penalised_searches(rng):
    """Yield searches in which the penalty decides; in the last a translation is cut, but the empty one wins."""
    yield from searches(rng, PENALISED, sharp=4.0)
    yield from searches(rng, ENDS_KEPT, sharp=4.0, end=1.0)
    yield last_of_many(rng)
    yield rare_beginning(rng)
    yield overtaken(rng)
    yield one_place(rng)
    yield from searches(rng, CUT_LONGER, max_length=3, must_end=False)


def cut_searches(rng):
    """Yield searches that end before every sentence does, and one in which every sentence ends at the last step."""
    yield ends_at_the_last_step(rng)
    yield from searches(rng, CUT, max_length=3, must_end=False)
    yield from searches(rng, ALL_CUT, max_length=3, must_end=False, end=-12.0)
    yield from searches(rng, CUT_AT_ONCE, max_length=1, must_end=False)
    yield one_place_cut(rng)
    yield cut_and_penalised(rng)


Q4 = Question(
    "q4",
    ASK_Q4,
    _found(),
    [
        Part("without a length penalty", 2, plain_searches),
        Part("more places than tokens", 0.5, wide_searches),
        Part("a translation of hardly any probability", 0.5, long_searches),
        Part("with a length penalty", 1, penalised_searches),
        Part("cut at the greatest length", 1, cut_searches),
    ],
    [
        Misconception(
            "This is greedy search: at each step you keep one beginning. Keep `width` of them.",
            _found(width=1),
        ),
        Misconception(
            "You keep one place too many: `width` + 1 candidates in place of `width`.",
            _found(too_many=1),
        ),
        Misconception(
            "beam_search returns None, as a function without `return` does. Return the ids and the score.",
            lambda *given: None,
        ),
        Misconception(
            "Each beginning keeps its own best `width` continuations, so that there are ever more. The candidates of "
            "all beginnings compete for `width` places.",
            _found(no_pruning=True),
        ),
        Misconception(
            "With more places than tokens, you keep too few beginnings: from the second step on there are "
            "candidates for up to `width` places, whichever beginnings they continue.",
            _found(most="tokens"),
        ),
        Misconception(
            "Of each beginning you look at the few likeliest tokens alone. With many places, a rarer one may be among "
            "the best `width` candidates.",
            _found(tokens=5),
        ),
        Misconception(
            "The places are shared out among the living beginnings, so many for each. All candidates of all beginnings "
            "compete for them: one beginning may get all, and another none.",
            _found(shared_out=True),
        ),
        Misconception(
            "You forget the beginnings that are cut after max_length tokens: they count as finished.",
            _found(forget_cut=True),
        ),
        *(
            Misconception(
                "You stop at the first sentence that ends. Another beginning, still alive, may lead to a better one.",
                _found(**how),
            )
            for how in FIRST
        ),
        *(
            Misconception(
                "You stop when `width` translations are finished. Those that still live may lead to better ones: go on "
                "until nothing lives.",
                _found(**how),
            )
            for how in K_FINISHED
        ),
        *(
            Misconception(
                "In your search a finished candidate takes no place: `width` others live on beside it. Here the places "
                "are `width` in all, and those that end are among them.",
                _found(**how),
            )
            for how in REFILLED
        ),
        Misconception(
            "In your search those that are finished keep their places for good, so that ever fewer live. At each step "
            "there are `width` places again, until nothing lives.",
            _found(shrink=True),
        ),
        *(
            Misconception(
                "In your search those that are finished go on competing for the places. They are set aside: at the "
                "next step there are `width` places for new candidates alone.",
                _found(pool=by),
            )
            for by in ("by ln p", "by score")
        ),
        Misconception(
            "Of the finished you compare only the `width` likeliest by their score. With a length penalty, one that is "
            "less likely may have the highest: compare all.",
            _found(likeliest=True),
        ),
        Misconception(
            "You choose by ln p where the score is to decide, at the end or on when to stop: the best is "
            "the one with the highest score.",
            _found(rank_by_log_p=True),
        ),
        Misconception(
            "You stop when the best of the finished has a higher score than all that live. Longer ones are divided by "
            "more, so that one that lives may still overtake it.",
            _found(stop="score"),
        ),
        Misconception(
            "You stop when the best of the finished has a larger ln p than all that live. With a length penalty, one "
            "that lives may still overtake it.",
            _found(stop="ln p"),
        ),
        Misconception(
            "You stop when `width` translations are finished and the likeliest candidate ends. With a length penalty, "
            "one that lives may still overtake them.",
            _found(stop="end first"),
        ),
        Misconception(
            "You set aside every candidate that ends. It must be among the best `width`: the others are forgotten.",
            _found(every_end=True),
        ),
        Misconception(
            "The probability of </s> is not counted. To stop is a decision of the model's like any other.",
            _found(free_end=True),
        ),
        Misconception(
            "Candidates compete by the logarithm of their last token. It is the sum over all their tokens that counts.",
            _found(forget_past=True),
        ),
        Misconception(
            "You multiply probabilities, and over a long translation the product is rounded to 0. Add up their "
            "logarithms.",
            _multiplied,
        ),
        Misconception(
            "You return what remains in the ids: leave <s> and </s> out.",
            _found(marks=(BOS_ID, EOS_ID)),
        ),
        Misconception(
            "You return </s> among the ids: leave it out.",
            _found(marks=(EOS_ID,)),
            sometimes="Some of your translations have </s> among the ids: leave it out of all.",
        ),
        Misconception("You return <s> among the ids: leave it out.", _found(marks=(BOS_ID,))),
        Misconception(
            "Translations that are cut lose their last word: they have no </s> to take off.",
            _found(cut_loses_a_word=True),
        ),
        Misconception(
            "L is one too small: </s> is one of the L tokens.",
            _found(no_end=1),
        ),
        Misconception(
            "L is one too large: <s> is not one of the L tokens.",
            _found(extra=1),
        ),
        Misconception(
            "L is one too large for translations that are cut: they have no </s> to count.",
            _found(cut_longer=1),
        ),
        *(
            Misconception(
                "Translations that are cut have too low a score. It is ln p, divided by the length penalty as for the "
                "others, and all their tokens count in L, though there is no </s>.",
                _found(**how),
            )
            for how in ({"cut_longer": -1}, {"cut_bare": True})
        ),
        Misconception(
            "With one place, the length penalty is missing. The score is divided by it whatever the width.",
            lambda table, shortest, width, max_length, alpha, ids_alone=False: _found(
                alpha=alpha if width > 1 else 0.0
            )(table, shortest, width, max_length, alpha, ids_alone),
        ),
        Misconception(
            "The length penalty is missing: α has no effect.",
            _found(alpha=0.0),
        ),
        Misconception(
            "You divide by (5 + L)/6, but not by its power α.",
            _found(no_power=True),
        ),
        Misconception(
            "You multiply by the length penalty. The logarithm is negative: dividing brings it nearer to 0.",
            _found(sign=-1),
        ),
        Misconception(
            "You divide by L to the power of α; the penalty is (5 + L)/6 to that power.",
            _found(plain_length=True),
        ),
        Misconception(
            "You choose well, but return ln p instead of the score.",
            _found(log_p=True),
        ),
        Misconception(
            "Your search ends one step too early: max_length tokens are allowed, </s> among them.",
            _found(fewer=1),
        ),
        Misconception(
            "Your search makes one step too many: no translation has more than max_length tokens, </s> among them.",
            _found(more=1),
        ),
        Misconception(
            "The ids come first, then the score.",
            lambda *given: _found()(*given)[::-1],
        ),
        Misconception(
            "Only the ids are returned: the score belongs to the result, as its second entry.",
            lambda *given: _found()(*given)[0],
        ),
    ],
    forbidden=("course_lib.decoding.*",),
    describe=lambda table, shortest, width, max_length, alpha, ids_alone=False: (
        f"width = {width}, max_length = {max_length}, alpha = {alpha:g}, a model of {table.shape[-1]} tokens"
        + (f" in which no translation has fewer than {shortest}" if shortest > 1 else "")
    ),
)

# ---- q5: a score ----
#
# What the text says, and where it is tried:
# - each n-gram at most as often as in the reference: once there and twice here; twice in both; n from 1 to 4
# - sentences shorter than n, empty ones, no n-gram at all: among the single sentences, so that it costs once
# - that sentence's reference, and sums before the quotient: two sentences whose n-grams stand in each other's
#   reference, and sentences of different lengths; in the second part alone
# - words of several letters, of which two pairs make the same string, and one is part of another; n-grams of the same
#   words in another order
# - N from 1 to 4, a precision of 0, c above, at and below r


def _ngrams(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def clipped_precision(hypotheses, references, n):
    """Return the share of the hypotheses' n-grams that occur in their reference, each at most as often as there."""
    pairs = [(_ngrams(h, n), _ngrams(r, n)) for h, r in zip(hypotheses, references, strict=True)]
    total = sum(ours.total() for ours, _ in pairs)
    return sum((ours & theirs).total() for ours, theirs in pairs) / total if total else 0.0


def bleu(precisions, n_hypothesis, n_reference):
    """Return 100 · brevity penalty · geometric mean."""
    brevity = min(1.0, math.exp(1 - n_reference / n_hypothesis))
    return 100 * brevity * math.prod(precisions) ** (1 / len(precisions))


ASK_Q5 = """
def entry_point(what, *given):
    return bleu(*given) if what == "bleu" else clipped_precision(*given)
"""


def _scored(precision=clipped_precision, score=bleu):
    """Answer `entry_point` with other functions."""
    return lambda what, *given: score(*given) if what == "bleu" else precision(*given)


def _counted(count, total=lambda ours, theirs: ours.total()):
    """Make a precision from what is counted in each sentence."""

    def precision(hypotheses, references, n):
        pairs = [(_ngrams(h, n), _ngrams(r, n)) for h, r in zip(hypotheses, references, strict=True)]
        out_of = sum(total(*pair) for pair in pairs)
        return sum(count(*pair) for pair in pairs) / out_of if out_of else 0.0

    return precision


def _mean_of_sentences(hypotheses, references, n):
    each = [clipped_precision([h], [r], n) for h, r in zip(hypotheses, references, strict=True)]
    return sum(each) / len(each)


def _whole_corpus(hypotheses, references, n):
    ours = sum((_ngrams(h, n) for h in hypotheses), Counter())
    theirs = sum((_ngrams(r, n) for r in references), Counter())
    return (ours & theirs).total() / ours.total() if ours else 0.0


def _same_place(hypotheses, references, n):
    found = total = 0
    for h, r in zip(hypotheses, references, strict=True):
        places = len(h) - n + 1
        found += sum(h[i : i + n] == r[i : i + n] for i in range(places))
        total += max(0, places)
    return found / total if total else 0.0


def _over_words(hypotheses, references, n):
    total = sum(map(len, hypotheses))
    return clipped_precision(hypotheses, references, n) * _total(hypotheses, n) / total if total else 0.0


def _total(hypotheses, n):
    return sum(max(0, len(h) - n + 1) for h in hypotheses)


def _negative(hypotheses, references, n):
    total = sum(len(h) - n + 1 for h in hypotheses)
    return clipped_precision(hypotheses, references, n) * _total(hypotheses, n) / total if total else 0.0


def _letters(hypotheses, references, n):
    def counted(tokens):
        return Counter("".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))

    found = sum((counted(h) & counted(r)).total() for h, r in zip(hypotheses, references, strict=True))
    return found / _total(hypotheses, n) if _total(hypotheses, n) else 0.0


def _in_text(hypotheses, references, n):
    def found(ours, reference):
        counts = Counter(" ".join(ours[i : i + n]) for i in range(len(ours) - n + 1))
        return sum(min(count, " ".join(reference).count(gram)) for gram, count in counts.items())

    total = _total(hypotheses, n)
    return sum(map(found, hypotheses, references)) / total if total else 0.0


def _no_order(hypotheses, references, n):
    pairs = [
        [Counter(tuple(sorted(t[i : i + n])) for i in range(len(t) - n + 1)) for t in pair]
        for pair in zip(hypotheses, references, strict=True)
    ]
    total = sum(ours.total() for ours, _ in pairs)
    return sum((ours & theirs).total() for ours, theirs in pairs) / total if total else 0.0


def _apart(hypotheses, references, n):
    def counted(tokens):
        return Counter(tuple(tokens[i : i + n]) for i in range(0, len(tokens) - n + 1, n))

    pairs = [(counted(h), counted(r)) for h, r in zip(hypotheses, references, strict=True)]
    total = sum(ours.total() for ours, _ in pairs)
    return sum((ours & theirs).total() for ours, theirs in pairs) / total if total else 0.0


def _last_missing(hypotheses, references, n, ours=1, theirs=1):
    def counted(tokens, missing):
        return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1 - missing))

    pairs = [(counted(h, ours), counted(r, theirs)) for h, r in zip(hypotheses, references, strict=True)]
    total = sum(ours.total() for ours, _ in pairs)
    return sum((ours & theirs).total() for ours, theirs in pairs) / total if total else 0.0


WORDS = ["la", "chatte", "dort", "bien", "sous", "un", "toit"]


def one_sentence(rng):
    """Yield single sentences, of which the last have fewer than n words."""
    for n in (1, 1, 2, 3, 4):
        a, b, c, d, e, f = rng.permutation(WORDS)[:6].tolist()
        often = [a, b, c, d]  # four words that stand twice in both, and a third time in the hypothesis alone
        ours = [*often, e, *often, a, *often]
        theirs = [*often, f, *often, b, c, f, f]
        yield ["precision", [ours], [theirs], n]
    a, b, c = rng.permutation(WORDS[2:])[:3].tolist()
    yield ["precision", [["n", "au", "x"]], [["na", "u", "x", a]], 2]  # in a row the letters are the same
    yield ["precision", [["chat", a, b]], [["chatte", b, a]], 1]  # chat is part of chatte
    yield ["precision", [[a, b, c]], [[c, b, a]], 2]  # the same pairs, in another order
    yield ["precision", [[a, b, c]], [[a, b, c]], 3]
    yield ["precision", [[a, b]], [[a, b, c]], 3]
    yield ["precision", [[]], [[a]], 1]


def corpora(rng):
    """Yield several sentences of different lengths."""
    for n in (1, 2, 3):
        a, b, c, d, e, f = rng.permutation(WORDS)[:6].tolist()
        ours = [[a, b, c, d, a, b, c], [e, f, a, e, e], [b, a, d, c, f, f, f, f, f]]
        theirs = [[a, b, c, e, f, a], [d, a, b, c, d], [f, f, f, f, b, a, d, c]]
        yield ["precision", ours, theirs, n]
    a, b, c, d = rng.permutation(WORDS)[:4].tolist()
    # Were the sentences one long text, its n-grams across their boundaries would count.
    yield ["precision", [[a, b], [c, d], [a, d]], [[a, b], [c, d], [b, d]], 2]
    yield ["precision", [[a], [a, b, c, d]], [[a], [d, a, b, c]], 3]  # the first has no n-gram


def long_enough(rng):
    """Yield precisions of hypotheses that are at least as long as the references; one precision may be 0."""
    for n, (ours, theirs) in zip([4, 4, 2, 3, 1], [(50, 50), (31, 20), (9, 8), (70, 3), (1, 1)], strict=True):
        yield ["bleu", rng.uniform(0.1, 0.9, n).tolist(), ours, theirs]
    yield ["bleu", [0.8, 0.5, 0.25, 0.0], 40, 38]


def too_short(rng):
    """Yield lengths of hypotheses that are shorter than the references, all precisions 1: a wrong mean costs once."""
    for n, (ours, theirs) in zip([4, 3, 2], [(40, 50), (7, 20), (99, 100)], strict=True):
        ours, theirs = ours + int(rng.integers(0, 5)), theirs + int(rng.integers(5, 10))
        yield ["bleu", [1.0] * n, ours, theirs]


def _score(mean=None, brevity=None, percent=100):
    """Make a score from another mean or another brevity penalty."""

    def score(precisions, ours, theirs):
        middle = math.prod(precisions) ** (1 / len(precisions)) if mean is None else mean(precisions)
        penalty = min(1.0, math.exp(1 - theirs / ours)) if brevity is None else brevity(ours, theirs)
        return percent * penalty * middle

    return score


Q5 = Question(
    "q5",
    ASK_Q5,
    _scored(),
    [
        Part("the precision of one sentence", 1, one_sentence),
        Part("the precision of a corpus", 1, corpora),
        Part("BLEU of translations that are long enough", 1, long_enough),
        Part("BLEU of translations that are too short", 1, too_short),
    ],
    [
        Misconception(
            "clipped_precision: nothing is clipped. What occurs once in the reference counts once, however often the "
            "hypothesis says it.",
            _scored(
                _counted(lambda ours, theirs: sum(count for gram, count in ours.items() if gram in theirs))
            ),
        ),
        Misconception(
            "clipped_precision: you count each different n-gram once. What the hypothesis says twice is two n-grams, "
            "and both are right if the reference says it twice.",
            _scored(_counted(lambda ours, theirs: len(ours & theirs), lambda ours, theirs: len(ours))),
        ),
        Misconception(
            "clipped_precision: each n-gram is found once at most. One that stands twice in the "
            "hypothesis and twice in the reference is found twice.",
            _scored(_counted(lambda ours, theirs: len(ours & theirs))),
        ),
        Misconception(
            "clipped_precision: you divide by the number of words. Of n-grams, L words have L − n + 1.",
            _scored(_over_words),
        ),
        Misconception(
            "clipped_precision: an n-gram is told by its letters alone, so that n aux and na ux are the same. Keep the "
            "words apart: a tuple, or spaces between them.",
            _scored(_letters),
            sometimes="clipped_precision: two different n-grams may have the same letters, as n aux and na ux. Keep "
            "the words apart: a tuple, or spaces between them.",
        ),
        Misconception(
            "clipped_precision: you search in a text, where chat is found in chatte. Compare whole words.",
            _scored(_in_text),
            sometimes="clipped_precision: a word may be part of another, as chat of chatte. Compare whole words.",
        ),
        Misconception(
            "clipped_precision: in your n-grams the order does not count. chat le is not le chat.",
            _scored(_no_order),
            sometimes="clipped_precision: the order of the words in an n-gram counts: chat le is not le chat.",
        ),
        Misconception(
            "clipped_precision: only the first sentence counts.",
            _scored(lambda hypotheses, references, n: clipped_precision(hypotheses[:1], references[:1], n)),
        ),
        Misconception(
            "clipped_precision: you make one text of all sentences, so that n-grams run across their boundaries.",
            _scored(
                lambda hypotheses, references, n: clipped_precision(
                    [[*chain.from_iterable(hypotheses)]], [[*chain.from_iterable(references)]], n
                )
            ),
        ),
        Misconception(
            "clipped_precision: n is not used, single words are counted.",
            _scored(lambda hypotheses, references, n: clipped_precision(hypotheses, references, 1)),
            sometimes="clipped_precision: single words are counted where n is larger.",
        ),
        Misconception(
            "clipped_precision: your n-grams do not overlap. A new one begins at each word.",
            _scored(_apart),
        ),
        Misconception(
            "clipped_precision: a sentence with fewer than n words has no n-gram; its L − n + 1 must not count as a "
            "negative number, or as one.",
            _scored(_negative),
            sometimes="clipped_precision: a sentence with fewer than n words has no n-gram.",
        ),
        Misconception(
            "clipped_precision: this is a percentage. Asked for is a number from 0 to 1.",
            _scored(lambda *given: 100 * clipped_precision(*given)),
        ),
        Misconception(
            "clipped_precision: you divide by the n-grams of the reference. That is recall; precision is a share of "
            "the hypothesis.",
            _scored(
                _counted(lambda ours, theirs: (ours & theirs).total(), lambda ours, theirs: theirs.total())
            ),
        ),
        Misconception(
            "clipped_precision: you take the mean of the sentences' precisions. Add up numerators and denominators of "
            "all sentences, then divide once.",
            _scored(_mean_of_sentences),
        ),
        Misconception(
            "clipped_precision: you throw all sentences together, so that a word counts as right if it stands in the "
            "reference of another sentence.",
            _scored(_whole_corpus),
        ),
        Misconception(
            "clipped_precision: you compare place by place. An n-gram may stand anywhere in the reference.",
            _scored(_same_place),
        ),
        Misconception(
            "clipped_precision: the last n-gram of each sentence is missing. L words have L − n + 1 of them.",
            _scored(_last_missing),
        ),
        Misconception(
            "clipped_precision: the last n-gram of each hypothesis is missing. L words have L − n + 1 of them.",
            _scored(lambda *given: _last_missing(*given, theirs=0)),
        ),
        Misconception(
            "clipped_precision: the last n-gram of each reference is missing. L words have L − n + 1 of them.",
            _scored(lambda *given: _last_missing(*given, ours=0)),
        ),
        Misconception(
            "clipped_precision: if no hypothesis has an n-gram, the precision is 0, not 0 divided by 0.",
            _scored(lambda h, r, n: clipped_precision(h, r, n) if _total(h, n) else math.nan),
        ),
        Misconception(
            "bleu: Python reads x ** 1 / N as (x ** 1) / N. Write x ** (1 / N).",
            _scored(score=_score(lambda p: math.prod(p) / len(p))),
        ),
        Misconception(
            "bleu: this is the arithmetic mean of the precisions; BLEU takes the geometric one.",
            _scored(score=_score(lambda p: sum(p) / len(p))),
        ),
        Misconception(
            "bleu: the precisions are multiplied, but the root is missing: the N-th for N of them.",
            _scored(score=_score(math.prod)),
        ),
        Misconception(
            "bleu: you always take the fourth root. There are N precisions, and N need not be 4.",
            _scored(score=_score(lambda p: math.prod(p) ** 0.25)),
        ),
        Misconception(
            "bleu: you always take the square root. There are N precisions, and N need not be 2.",
            _scored(score=_score(lambda p: math.prod(p) ** 0.5)),
        ),
        Misconception(
            "bleu: the score goes from 0 to 100, not from 0 to 1.",
            _scored(score=_score(percent=1)),
        ),
        Misconception(
            "bleu: translations that are too short are not punished: the brevity penalty is missing, or c and r have "
            "changed places in it.",
            _scored(score=_score(brevity=lambda ours, theirs: 1.0)),
        ),
        Misconception(
            "bleu: the brevity penalty rewards translations that are too long. It is at most 1.",
            _scored(score=_score(brevity=lambda ours, theirs: math.exp(1 - theirs / ours))),
        ),
        Misconception(
            "bleu: in the brevity penalty the two lengths have changed places: it is for hypotheses that are shorter "
            "than the references.",
            _scored(score=_score(brevity=lambda ours, theirs: min(1.0, math.exp(1 - ours / theirs)))),
        ),
        Misconception(
            "bleu: your brevity penalty is the ratio of the lengths; it is the exponential of 1 − r/c.",
            _scored(score=_score(brevity=lambda ours, theirs: min(1.0, ours / theirs))),
        ),
        Misconception(
            "bleu: the exponent of the brevity penalty is 1 − r/c, not c/r − 1.",
            _scored(score=_score(brevity=lambda ours, theirs: min(1.0, math.exp(ours / theirs - 1)))),
        ),
        Misconception(
            "bleu: a precision of 0 is left out of the mean. If one precision is 0, so is the score.",
            _scored(score=lambda precisions, *rest: bleu([p for p in precisions if p] or [0.0], *rest)),
        ),
    ],
    forbidden=("course_lib.evaluation.*", "sacrebleu.*"),
    describe=lambda what, *given: (
        f"bleu([{', '.join(f'{p:.4g}' for p in given[0])}], {given[1]}, {given[2]})"
        if what == "bleu"
        else f"clipped_precision{given}"
    ),
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
