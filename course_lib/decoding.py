"""Greedy and beam search, batched, for every translation model.

Nothing here knows what a Transformer is: `course_lib.fast.start_decoding` reads the source, and the state that it
returns takes a step or keeps some rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from course_lib.fast import DecodingState, ReadyTransformer, TranslationModel, largest, start_decoding
from course_lib.special_ids import BOS_ID, EOS_ID, PAD_ID


@dataclass(frozen=True)
class Hypothesis:
    """A translation that a search has finished.

    Attributes
    ----------
    ids : list of int
        Token ids, without <s> and </s>.
    log_probability : float
        Sum of the tokens' log-probabilities, that of </s> included, in nats.
    score : float
        `log_probability` over the length penalty: what the search ranks by.
    """

    ids: list[int]
    log_probability: float
    score: float


def length_penalty(length: int, alpha: float) -> float:
    """Return ((5 + length) / 6)^α, by which log-probabilities are divided so that long sentences can win.

    Parameters
    ----------
    length : int
        Number of tokens, </s> included.
    alpha : float
        0 compares plain log-probabilities; about 0.6 to 1 is usual.

    Notes
    -----
    Wu et al. (2016), equation 14.

    Examples
    --------
    >>> length_penalty(1, 0.6), length_penalty(7, 1.0)
    (1.0, 2.0)
    """
    return float(((5 + length) / 6) ** alpha)


def _likeliest(
    state: DecodingState, tokens: Tensor, k: int, forced: int | None = None
) -> tuple[Tensor, Tensor]:
    """Take a step; return log-probabilities and ids, both (B, k), of the likeliest next tokens, or of a forced one."""
    logits = state.step(tokens).float()  # (B, n_vocab)
    for never in (PAD_ID, BOS_ID):  # neither can follow a token
        logits[:, never] = -torch.inf
    best, ids = largest(logits, min(k, logits.shape[1]))
    top = best[:, :1]
    if forced is not None:
        ids = torch.full_like(ids, forced)
        best = logits.gather(1, ids)
    total = (
        logits.sub_(top).exp_().sum(dim=1, keepdim=True)
    )  # in the logits' place, which nobody needs any more
    return best - (top + total.log_()), ids


@torch.no_grad()
def greedy_search(
    model: TranslationModel | ReadyTransformer, source: Tensor, max_length: int, prefix: Sequence[int] = ()
) -> list[Hypothesis]:
    """Take the likeliest token at each step, until </s> or `max_length` tokens.

    Parameters
    ----------
    model : Transformer, ReadyTransformer or RecurrentTranslator
        In `eval()` mode, or dropout will take part. For many batches: `course_lib.fast.ready_to_decode(model)`.
    source : Tensor
        Ids, (B, L_s), padded on the right.
    max_length : int
        Most tokens a translation may have, </s> included; a longer one is cut there.
    prefix : sequence of int
        Ids with which every translation is to begin, however unlikely they are.

    Returns
    -------
    list of Hypothesis
        One a sentence, in order; length penalty 0.
    """
    state = start_decoding(model, source)
    # Which sentence each row of the batch belongs to.
    active = torch.arange(len(source), device=source.device)
    tokens = torch.full_like(active, BOS_ID)
    ids: list[list[int]] = [[] for _ in range(len(source))]
    total = torch.zeros(len(source), device=source.device)
    for position in range(max_length):
        log_p, likeliest = _likeliest(state, tokens, 1, prefix[position] if position < len(prefix) else None)
        tokens = likeliest.squeeze(1)
        total[active] += log_p.squeeze(1)
        going = (tokens != EOS_ID).nonzero().squeeze(1)
        if not len(going):
            break
        if len(going) < len(tokens):  # finished sentences leave the batch
            active, tokens = active[going], tokens[going]
            state.select(going)
        for sentence, token in zip(active.tolist(), tokens.tolist(), strict=True):
            ids[sentence].append(token)
    return [Hypothesis(i, p, p) for i, p in zip(ids, total.tolist(), strict=True)]


Fate = Literal["lives on", "finished", "cut", "dropped"]


@dataclass(frozen=True)
class Candidate:
    """A beginning of a translation that a beam search has weighed.

    Attributes
    ----------
    ids : tuple of int
        Token ids, without <s>: those of a beginning that lived on one step before, and one more, maybe </s>.
    log_probability : float
        Sum of the tokens' log-probabilities, in nats.
    fate : {"lives on", "finished", "cut", "dropped"}
        What became of it: continued at the next step; ended in </s> and kept; kept as it is, because no more
        tokens were allowed; thrown away.
    """

    ids: tuple[int, ...]
    log_probability: float
    fate: Fate


BeamTrace = list[list[Candidate]]  # what a search of one sentence has weighed: a list a step, likeliest first


@torch.no_grad()
def beam_search(
    model: TranslationModel | ReadyTransformer,
    source: Tensor,
    max_length: int,
    width: int = 5,
    alpha: float = 1.0,
    trace: BeamTrace | None = None,
) -> list[list[Hypothesis]]:
    """Follow the `width` likeliest beginnings of each sentence at once.

    At each step every live beginning is continued by every token. Of the candidates, those that end in </s> and
    rank among the best `width` are finished; the best `width` of the others live on. A sentence is done when
    `width` hypotheses are finished. So width 1 is greedy search, and a width that no number of beginnings
    exceeds is exhaustive search.

    Parameters
    ----------
    model, source, max_length
        As in `greedy_search`.
    width : int
        Number of live beginnings.
    alpha : float
        Strength of `length_penalty`.
    trace : list, optional
        Where it is given, each step of the search adds its candidates to it, the 2·width likeliest.

    Returns
    -------
    list of list of Hypothesis
        For each sentence, in order, its finished hypotheses (and those cut at `max_length`), best first, at
        most `width`.

    Raises
    ------
    ValueError
        If `width` is not positive, or a trace is asked for of several sentences.
    """
    if width < 1:
        raise ValueError(f"width: expected a positive number, not {width}")
    if trace is not None and len(source) != 1:
        raise ValueError(f"trace: expected one sentence to trace, not {len(source)}; search each by itself")
    finished: list[list[Hypothesis]] = [[] for _ in range(len(source))]
    active = list(range(len(source)))  # which sentence each group of `width` rows belongs to
    state = start_decoding(model, source)
    state.select(torch.arange(len(source), device=source.device).repeat_interleave(width))
    prefixes = torch.full((len(source), width, 1), BOS_ID, device=source.device)  # (B, W, length)
    scores = torch.full((len(source), width), -torch.inf, device=source.device)
    scores[:, 0] = 0.0  # at first there is one beginning, not `width` equal ones
    for length in range(1, max_length + 1):
        # At most `width` candidates end, so 2·width are enough, of each beginning as of all.
        log_p, likeliest = _likeliest(state, prefixes[:, :, -1].flatten(), 2 * width)  # (B·W, k)
        k = log_p.shape[1]
        candidates = scores.unsqueeze(2) + log_p.unflatten(0, (-1, width))  # (B, W, k)
        top, places = candidates.flatten(1).topk(min(2 * width, width * k))  # (B, 2W)
        beams, tokens = places // k, likeliest.unflatten(0, (-1, width)).flatten(1).gather(1, places)
        ends = tokens == EOS_ID
        scores = top.masked_fill(ends, -torch.inf)
        for row, column in (ends & (top > -torch.inf))[:, :width].nonzero().tolist():
            ids = prefixes[row, int(beams[row, column]), 1:].tolist()
            _finish(finished[active[row]], ids, float(top[row, column]), length, alpha)
        scores, order = scores.topk(width, sorted=True)  # the best that do not end; −∞ fills up
        if trace is not None:
            done, last = len(finished[0]) >= width, length == max_length
            weighed = torch.cat([prefixes[0, beams[0], 1:], tokens[0].unsqueeze(1)], dim=1)  # (2W, length)
            fate: Fate = "dropped" if done else "cut" if last else "lives on"
            trace.append(_candidates(weighed, top[0], order[0], fate))
        beams, tokens = beams.gather(1, order), tokens.gather(1, order)
        kept = [
            row
            for row, sentence in enumerate(active)
            if len(finished[sentence]) < width and bool(scores[row, 0] > -torch.inf)
        ]
        if not kept:
            active = []
            break
        rows = torch.tensor(kept, device=source.device)
        prefixes = prefixes[
            rows.unsqueeze(1), beams[rows]
        ]  # (B, W, length): each continues its own beginning
        prefixes = torch.cat([prefixes, tokens[rows].unsqueeze(2)], dim=2)
        state.select(
            (rows.unsqueeze(1) * width + beams[rows]).flatten(), same_source=len(kept) == len(active)
        )
        scores, active = scores[rows], [active[row] for row in kept]
    for row, sentence in enumerate(active):  # cut at max_length
        for beam in range(width):
            if scores[row, beam] > -torch.inf:
                ids = prefixes[row, beam, 1:].tolist()
                _finish(finished[sentence], ids, float(scores[row, beam]), max_length, alpha)
    return [sorted(found, key=lambda h: -h.score)[:width] for found in finished]


def _finish(finished: list[Hypothesis], ids: list[int], log_p: float, length: int, alpha: float) -> None:
    finished.append(Hypothesis(ids, log_p, log_p / length_penalty(length, alpha)))


def _candidates(ids: Tensor, log_p: Tensor, best: Tensor, fate: Fate) -> list[Candidate]:
    """Say what became of one step's candidates: `fate` of those at `best`, which do not end."""
    found: list[Candidate] = []
    width, best_ranks = len(best), best.tolist()
    for rank, (tokens, p) in enumerate(zip(ids.tolist(), log_p.tolist(), strict=True)):
        if p > -torch.inf:
            ended: Fate = "finished" if rank < width else "dropped"
            going: Fate = fate if rank in best_ranks else "dropped"
            found.append(Candidate(tuple(tokens), p, ended if tokens[-1] == EOS_ID else going))
    return found


def ranking(trace: BeamTrace, alpha: float) -> list[Hypothesis]:
    """Rank all that a traced beam search has finished; the penalty ranks the results and steers nothing else.

    Parameters
    ----------
    trace : BeamTrace
        As `beam_search` has filled it, or its first steps.
    alpha : float
        Strength of `length_penalty`; need not be that of the search.

    Returns
    -------
    list of Hypothesis
        Best first; for a whole trace, its first `width` are what `beam_search` returns.

    Examples
    --------
    >>> trace = [[Candidate((7, EOS_ID), -2.0, "finished")], [Candidate((8, 9, EOS_ID), -2.1, "finished")]]
    >>> [[h.ids for h in ranking(trace, alpha)] for alpha in (0.0, 1.0)]
    [[[7], [8, 9]], [[8, 9], [7]]]
    """
    found: list[Hypothesis] = []
    for candidate in (c for step in trace for c in step if c.fate in ("finished", "cut")):
        ids = [token for token in candidate.ids if token != EOS_ID]
        _finish(found, ids, candidate.log_probability, len(candidate.ids), alpha)
    return sorted(found, key=lambda h: -h.score)
