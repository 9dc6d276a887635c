"""What decides the questions of ps10: the parts of a translator, from the batch to the score."""

import inspect
import math
from collections import Counter

import torch

from course_lib.corpus.tokenisers import BOS_ID, EOS_ID, PAD_ID
from course_lib.grading.questions import Misconception, Part, Question

# ---- q1: a batch for teacher forcing ----


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


# Types, and lists that are changed, count in the first part alone: such a mistake costs once.
ASK_Q1 = """
import torch

def ask(sources, targets, names, with_types):
    if not with_types:
        sources, targets = [list(ids) for ids in sources], [list(ids) for ids in targets]
    batch = make_batch(list(zip(sources, targets)))
    told = {name: batch[name] for name in names}
    if with_types:
        for name in ("source", "target_in", "target_out"):
            ids = batch.get(name, batch["source"])  # what is missing is told in its own part
            told[f"type of {name}"] = str(ids.dtype) if torch.is_tensor(ids) else "not a PyTorch tensor"
    return told
"""


def _asked(make):
    """Turn a function of pairs into an answer to `ask`."""

    def answer(sources, targets, names, with_types):
        batch = make(list(zip(sources, targets, strict=True)))
        typed = ("source", "target_in", "target_out") if with_types else ()
        return {n: batch[n] for n in names} | {f"type of {n}": str(batch[n].dtype) for n in typed}

    return answer


def _with(**wrong):
    """Make a batch of which some entries are made wrongly, from the pairs."""
    return _asked(lambda pairs: make_batch(pairs) | {name: make(pairs) for name, make in wrong.items()})


def _end_last(rows):
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[PAD_ID] * (longest - len(row)), EOS_ID] for row in rows])


def _framed(pairs):
    return padded([[BOS_ID, *target, EOS_ID] for _, target in pairs])


def sentences(rng, names, with_types, sizes=(1, 3, 5, 4)):
    """Yield sources and targets of different lengths, and what is asked for; a target may have no word."""
    for n in sizes:
        source_lengths, target_lengths = rng.integers(1, 7, n), rng.integers(0, 7, n)
        source_lengths[-1], target_lengths[-1] = 7, 2  # so that the longest are not the same pair
        target_lengths[0] = 6
        yield [
            [rng.integers(4, 50, length).tolist() for length in source_lengths],
            [rng.integers(4, 50, length).tolist() for length in target_lengths],
            list(names),
            with_types,
        ]


Q1 = Question(
    "q1",
    ASK_Q1,
    _asked(make_batch),
    [
        Part(
            "the source, its mask, and the types of all four",
            1,
            lambda rng: sentences(rng, ["source", "source_mask"], True),
        ),
        Part(
            "the target, read and predicted",
            2,
            lambda rng: sentences(rng, ["target_in", "target_out"], False),
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
    ],
    forbidden=("course_lib.corpus.batches.pad", "course_lib.corpus.batches.BucketedBatches"),
)

# ---- q2: the loss ----


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
def ask(logits, targets, smoothing, with_gradient):
    if not with_gradient:
        return smoothed_loss(logits, targets, smoothing)
    logits = logits.clone().requires_grad_()
    loss = smoothed_loss(logits, targets, smoothing)
    if not getattr(loss, "requires_grad", False):
        return [loss, "no gradient"]
    loss.backward()
    return [loss, logits.grad]
"""


def _traced(loss_of, lose=False):
    """Turn a loss into an answer to `ask`."""

    def answer(logits, targets, smoothing, with_gradient):
        if not with_gradient:
            return loss_of(logits, targets, smoothing)
        logits = logits.clone().requires_grad_()
        loss = loss_of(logits, targets, smoothing)
        if lose:
            return [loss, "no gradient"]
        loss.backward()
        return [loss, logits.grad]

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


def predictions(rng, padding=False, scale=2.0, with_gradient=False, dtype=torch.float64):
    """Yield logits, targets and a share of smoothing; with padding, sentences of different lengths."""
    for (n, length, n_vocab), smoothing in zip(
        [(2, 4, 7), (1, 5, 6), (4, 3, 9)], [0.1, 0.35, 0.0 if not with_gradient else 0.2], strict=True
    ):
        targets = torch.from_numpy(rng.integers(1, n_vocab, (n, length)))
        if padding:
            for row in range(n):
                targets[row, length - 1 - row % (length - 1) :] = PAD_ID
        logits = torch.from_numpy(scale * rng.standard_normal((n, length, n_vocab))).to(dtype)
        yield [logits, targets, smoothing, with_gradient]


Q2 = Question(
    "q2",
    ASK_Q2,
    _traced(smoothed_loss),
    [
        Part("sentences without padding", 2, predictions),
        Part("padding", 1, lambda rng: predictions(rng, padding=True)),
        Part(
            "large logits in single precision, and the gradient",
            1,
            lambda rng: predictions(rng, scale=100.0, with_gradient=True, dtype=torch.float32),
        ),
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
    ],
    forbidden=(
        "torch.nn.functional.cross_entropy",
        "torch.nn.CrossEntropyLoss",
        "course_lib.training.smoothed_cross_entropy",
    ),
)

# ---- q3: the learning rate, and one step ----


def rate_at(step, peak, warmup):
    """Return the learning rate of a step, counted from 1."""
    return peak * min(step / warmup, math.sqrt(warmup / step))


def _step(model, optimiser, loss_of, batch, rate, max_norm, **how):
    """Do one step of training as told; `how` makes it wrongly."""
    for number, group in enumerate(optimiser.param_groups):
        if not how.get("keep_rate") and not (number and how.get("first_group")):
            group["lr"] = rate
    if not how.get("accumulate") and not how.get("clear_afterwards"):
        optimiser.zero_grad()
    loss = loss_of(model, batch)
    loss.backward()
    parameters = list(model.parameters())
    clip = how.get("clip", "norm")
    if clip == "norm":
        torch.nn.utils.clip_grad_norm_(parameters, max_norm)
    elif clip == "value":
        torch.nn.utils.clip_grad_value_(parameters, max_norm)
    elif clip == "each":
        for parameter in parameters:
            torch.nn.utils.clip_grad_norm_([parameter], max_norm)
    elif clip == "always":
        norm = torch.linalg.vector_norm(torch.cat([p.grad.flatten() for p in parameters]))
        for parameter in parameters:
            parameter.grad *= max_norm / norm
    if not how.get("no_step"):
        optimiser.step()
    if how.get("clear_afterwards"):
        optimiser.zero_grad()
    if how.get("late"):
        loss = loss_of(model, batch)
    return None if how.get("silent") else loss if how.get("tensor") else loss.item()


def after(train_step, weight, bias, xs, ys, rates, max_norm, strict):
    """Train a line on some batches; return the losses, and the parameters at the end.

    If `strict`, gradients are left over from before, and a loss that is a tensor is told.
    """

    class Line(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(weight.clone())
            self.bias = torch.nn.Parameter(bias.clone())

        def forward(self, x):
            return x @ self.weight + self.bias

    def squares(model, batch):
        x, y = batch
        return ((model(x) - y) ** 2).mean()

    model = Line()
    if strict:
        model.weight.grad, model.bias.grad = 3 * model.weight.detach(), 3 * model.bias.detach()
    groups = [{"params": [model.weight], "lr": 0.7}, {"params": [model.bias], "lr": 0.9}]
    optimiser = torch.optim.SGD(groups, lr=0.7)
    losses = [
        train_step(model, optimiser, squares, batch, rate, max_norm)
        for batch, rate in zip(zip(xs, ys, strict=True), rates, strict=True)
    ]
    told = {"losses": losses, "weight": model.weight, "bias": model.bias}
    return told | {"losses that are tensors": sum(map(torch.is_tensor, losses))} if strict else told


ASK_Q3 = f"""
import torch

{inspect.getsource(after)}

def ask(what, *given):
    return rate_at(*given) if what == "rate" else after(train_step, *given)
"""


def _trained(**how):
    """Answer `ask` with steps that are done wrongly."""

    def step(*given):
        return _step(*given, **how)

    return lambda what, *given: rate_at(*given) if what == "rate" else after(step, *given)


def _rated(rate):
    """Answer `ask` with another learning rate."""
    return lambda what, *given: rate(*given) if what == "rate" else after(_step, *given)


def rates(rng):
    """Yield steps before, at and after the end of the warm-up."""
    for step, warmup in [(1, 10), (7, 10), (10, 10), (11, 10), (40, 10), (3, 400), (5000, 400), (2, 1)]:
        yield ["rate", step, float(rng.uniform(1e-3, 1.0)), warmup]


def trainings(rng, max_norm, strict):
    """Yield a line, three batches and a learning rate for each."""
    for d_in, d_out, n in ((3, 2, 4), (2, 4, 5)):
        yield [
            "step",
            torch.from_numpy(rng.standard_normal((d_in, d_out))),
            torch.from_numpy(rng.standard_normal(d_out)),
            torch.from_numpy(rng.standard_normal((3, n, d_in))),
            torch.from_numpy(3 * rng.standard_normal((3, n, d_out))),
            rng.uniform(0.05, 0.2, 3).tolist(),
            max_norm,
            strict,
        ]


Q3 = Question(
    "q3",
    ASK_Q3,
    _trained(),
    [
        Part("the learning rate", 1, rates),
        Part("steps with short gradients", 2, lambda rng: trainings(rng, 1000.0, False)),
        Part(
            "steps with long gradients, which are clipped, with others left over from before, and a plain number "
            "returned",
            1,
            lambda rng: trainings(rng, 0.5, True),
        ),
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
            "You clear the gradients after the step, so that those left over from before your first step still count. "
            "Clear them before backward().",
            _trained(clear_afterwards=True),
        ),
        Misconception(
            "train_step returns a tensor, which holds on to all that it was computed from. Return a plain number, by "
            ".item().",
            _trained(tensor=True),
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
            "Only the first group of parameters gets the new rate. Loop over optimiser.param_groups.",
            _trained(first_group=True),
        ),
        Misconception(
            "train_step returns nothing. Return the loss, as a number.",
            _trained(silent=True),
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
            "You bring every gradient to the length max_norm. A shorter one stays as it is.",
            _trained(clip="always"),
        ),
    ],
    forbidden=("course_lib.training.learning_rate", "course_lib.training.Trainer"),
)

# ---- q4: beam search ----


def _search(next_log_p, width, max_length, alpha, **how):
    """Search as the question says; `how` makes a mistake."""
    living, finished = [([BOS_ID], 0.0)], []
    for _ in range(max_length - how.get("fewer", 0) + how.get("more", 0)):
        if not living or (how.get("shrink") and len(finished) >= width):
            break
        groups = []
        for (ids, log_p), row in zip(living, next_log_p([ids for ids, _ in living]).tolist(), strict=True):
            more = [
                ([*ids, token], log_p + (0.0 if how.get("free_end") and token == EOS_ID else value))
                for token, value in enumerate(row)
            ]
            groups.append(sorted(more, key=lambda c: -c[1]))
        if how.get("no_pruning"):
            kept = [
                c for group in groups for c in group[:width] if c[1] > -25.0
            ]  # or there would be too many
        else:
            ranked = sorted((c for group in groups for c in group), key=lambda c: -c[1])
            kept = ranked[: width - (len(finished) if how.get("shrink") else 0)]
        if how.get("every_end"):
            kept += [c for c in ranked[width:] if c[0][-1] == EOS_ID]
        living = [c for c in kept if c[0][-1] != EOS_ID]
        if how.get("refill"):
            living = [c for c in ranked if c[0][-1] != EOS_ID][:width]
        finished += [c for c in kept if c[0][-1] == EOS_ID]
        if finished and how.get("first"):
            living = []
            break
    if how.get("forget_cut") and finished:
        living = []
    extra, power = how.get("extra", 0), how.get("sign", 1) * alpha

    def score(hypothesis):
        ids, log_p = hypothesis
        tokens = len(ids) - 1 - (how.get("no_end", 0) and ids[-1] == EOS_ID) + extra
        return log_p / (max(tokens, 1) if how.get("plain_length") else (5 + tokens) / 6) ** power

    def rank(hypothesis):
        return hypothesis[1] if how.get("rank_by_log_p") else score(hypothesis)

    best = max(finished + living, key=rank)
    kept_marks = how.get("marks", ())
    ids = [i for i in best[0] if i not in (BOS_ID, EOS_ID) or i in kept_marks]
    return [ids, best[1] if how.get("log_p") else score(best)]


def table_model(table):
    """Make next_log_p from a table of log-probabilities: place, token before last, last token, next token."""

    def next_log_p(prefixes):
        rows = []
        for prefix in prefixes:
            place, last = min(len(prefix), len(table)) - 1, int(prefix[-1])
            rows.append(table[place, int(prefix[-2]) if place else 0, last])
        return torch.stack(rows)

    return next_log_p


ASK_Q4 = f"""
import torch

{inspect.getsource(table_model)}

def ask(table, width, max_length, alpha):
    found = beam_search(table_model(table), width, max_length, alpha)
    if isinstance(found, (list, tuple)) and len(found) == 2 and hasattr(found[0], "tolist"):
        return [found[0].tolist(), found[1]]  # an array or a tensor of ids will do, an empty one, too
    return found
"""


def _found(**how):
    """Answer `ask` by a search; `how` makes a mistake."""
    rest = {name: value for name, value in how.items() if name not in ("width", "alpha")}
    return lambda table, width, max_length, alpha: _search(
        table_model(table), how.get("width", width), max_length, how.get("alpha", alpha), **rest
    )


def _table(rng, places=5, n_vocab=7, end=-0.5, sharp=1.5, must_end=True):
    """Draw a table; <pad> and <s> hardly ever follow, and at the last place </s> does.

    From the third place on, the larger `sharp`, the surer is the model of its next word, and the less each costs.
    """
    logits = 1.5 * rng.standard_normal((places, n_vocab, n_vocab, n_vocab))
    logits[2:] *= sharp / 1.5
    logits[..., [PAD_ID, BOS_ID]] = -30.0
    logits[:2, ..., EOS_ID] += end
    logits[2:, ..., EOS_ID] += min(end, 1.5 - 2 * sharp)
    if must_end:
        logits[-1, ..., EOS_ID] += 90.0
    return torch.log_softmax(torch.from_numpy(logits), dim=-1)


def searches(rng, mistakes, widths, alphas, max_length=6, spared=(), unlike=None, **drawn):
    """Yield searches: for each mistake one in which it shows, and none in which a spared one does.

    The answers of a mistake differ from those of the one that they must be unlike.
    """
    for mistake in mistakes:
        while True:
            arguments = [
                _table(rng, **drawn),
                int(rng.choice(widths)),
                max_length,
                float(rng.choice(alphas)),
            ]
            right, wrong = _found()(*arguments), _found(**mistake)(*arguments)
            mistaken = right != wrong and (unlike is None or wrong != _found(**unlike)(*arguments))
            if mistaken and all(right == _found(**other)(*arguments) for other in spared):
                yield arguments
                break


UNPRUNED = {"no_pruning": True}
SHRINKING = {"shrink": True}
EVERY_END = {"every_end": True}


def plain_searches(rng):
    """Yield searches without a penalty, in which every sentence ends.

    Without a penalty nothing that ranks below a finished candidate can win: refilling its place changes nothing.
    """
    mistakes = [*[{"width": 1}, {"first": True}] * 2, UNPRUNED]
    yield from searches(rng, mistakes, [2, 3], [0.0], spared=[SHRINKING, EVERY_END])
    yield from searches(rng, [{"free_end": True}], [1], [0.0], spared=[EVERY_END])


def penalised_searches(rng):
    """Yield searches in which the penalty decides."""
    mistakes = [{"rank_by_log_p": True}, {"alpha": 0.0}, {"width": 1}, {"first": True}] * 2 + [
        {"refill": True},
    ]
    yield from searches(rng, mistakes, [2, 3, 4], [0.6, 1.0, 1.7], spared=[UNPRUNED], sharp=4.0)
    hard = {"spared": [UNPRUNED], "unlike": {"width": 1}, "sharp": 4.0}
    yield from searches(rng, [SHRINKING, EVERY_END], [2, 3, 4], [0.6, 1.0, 1.7], **hard)


def cut_searches(rng):
    """Yield searches that end before every sentence does."""
    drawn = {"max_length": 3, "must_end": False, "spared": [UNPRUNED, SHRINKING, EVERY_END]}
    yield from searches(rng, [{"forget_cut": True}, {"width": 1}] * 2, [2, 3], [0.0], **drawn)
    yield from searches(rng, [{"width": 1}] * 2, [2, 3], [0.0], end=-12.0, **drawn)


Q4 = Question(
    "q4",
    ASK_Q4,
    _found(),
    [
        Part("without a length penalty", 3, plain_searches),
        Part("with a length penalty", 1, penalised_searches),
        Part("cut at the greatest length", 1, cut_searches),
    ],
    [
        Misconception(
            "This is greedy search: at each step you keep one beginning. Keep `width` of them.",
            _found(width=1),
        ),
        Misconception(
            "Each beginning keeps its own best `width` continuations, so that there are ever more. The candidates of "
            "all beginnings compete for `width` places.",
            _found(no_pruning=True),
        ),
        Misconception(
            "In your search a finished candidate takes no place: `width` others live on beside it. Here the places are "
            "`width` in all, and those that end are among them.",
            _found(refill=True),
        ),
        Misconception(
            "In your search those that are finished keep their places for good, so that ever fewer live. At each step "
            "there are `width` places again, until nothing lives.",
            _found(shrink=True),
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
            "You return what remains in the ids: leave <s> and </s> out.",
            _found(marks=(BOS_ID, EOS_ID)),
        ),
        Misconception("You return </s> among the ids: leave it out.", _found(marks=(EOS_ID,))),
        Misconception("You return <s> among the ids: leave it out.", _found(marks=(BOS_ID,))),
        Misconception(
            "L is one too small: </s> is one of the L tokens.",
            _found(no_end=1),
        ),
        Misconception(
            "L is one too large: <s> is not one of the L tokens.",
            _found(extra=1),
        ),
        Misconception(
            "You choose by ln p, and compute the score only then. The best is the one with the highest score.",
            _found(rank_by_log_p=True),
        ),
        Misconception(
            "The length penalty is missing: α has no effect.",
            _found(alpha=0.0),
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
            "You forget the beginnings that are cut after max_length tokens: they count as finished.",
            _found(forget_cut=True),
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
            "You stop at the first sentence that ends. Another beginning, still alive, may lead to a likelier one.",
            _found(first=True),
        ),
    ],
    forbidden=("course_lib.decoding.beam_search", "course_lib.decoding.greedy_search"),
)

# ---- q5: a score ----


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
def ask(what, *given):
    return bleu(*given) if what == "bleu" else clipped_precision(*given)
"""


def _scored(precision=clipped_precision, score=bleu):
    """Answer `ask` with other functions."""
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


def _last_missing(hypotheses, references, n):
    def counted(tokens):
        return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n))

    pairs = [(counted(h), counted(r)) for h, r in zip(hypotheses, references, strict=True)]
    total = sum(ours.total() for ours, _ in pairs)
    return sum((ours & theirs).total() for ours, theirs in pairs) / total if total else 0.0


def texts(rng, sizes, shortest=4):
    """Yield hypotheses and references in few words, so that many repeat, and n."""
    words = ["la", "chatte", "dort", "bien"]
    for n, size in enumerate(sizes, start=1):
        ours, theirs = (
            [rng.choice(words, k).tolist() for k in rng.integers(shortest, 11, size)] for _ in "ab"
        )
        ours[0] = [*ours[0], "la", "la"]
        theirs[0] = theirs[0][:3] + theirs[0][3:] * 2
        ours[-1][: n + 1] = theirs[-1][1 : n + 2]
        yield ["precision", ours, theirs, n]


def one_sentence(rng):
    """Yield single sentences, some shorter than n."""
    yield from texts(rng, [1, 1, 1, 1])
    yield from texts(rng, [1, 1, 1])
    yield ["precision", [["la", "chatte"]], [["la", "chatte", "dort"]], 3]
    yield ["precision", [[]], [["la"]], 1]


def corpora(rng):
    """Yield several sentences, some shorter than n."""
    yield from texts(rng, [4, 3, 5, 3])
    yield from texts(rng, [5, 5, 4], shortest=1)
    ours, theirs = ["la", "chatte", "dort", "bien", "la"], ["chatte", "la", "dort", "bien", "la"]
    yield ["precision", [["la"], ours], [["la"], theirs], 3]


def long_enough(rng):
    """Yield precisions of hypotheses that are at least as long as the references; one precision may be 0."""
    for n, (ours, theirs) in zip(
        [4, 4, 2, 3, 1], [(50, 50), (31, 20), (9, 8), (70, 3), (12, 11)], strict=True
    ):
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
            "bleu: the score goes from 0 to 100, not from 0 to 1.",
            _scored(score=_score(percent=1)),
        ),
        Misconception(
            "bleu: there is no brevity penalty.",
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
    ],
    forbidden=("course_lib.evaluation.bleu", "sacrebleu.corpus_bleu", "sacrebleu.sentence_bleu"),
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
