"""The numbers that the chapter's sentences name, from stored records and from trained readers."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course_lib.chapters.ch01_why_attention import agreement, gradient_reach
from course_lib.chapters.ch01_why_attention.agreement import Look
from course_lib.chapters.ch01_why_attention.figures import at_stop


def of_records() -> dict[str, float]:
    """Return medians over seeds from the records of the agreement tasks.

    >>> of_records()["gru_8192"] > 0.9
    True
    """
    hard, nearest = agreement.records("distractors"), agreement.records("nearest")
    stop = {
        name: {n: np.median(s, axis=0) for n, s in at_stop(found).items()} for name, found in hard.items()
    }
    order = {name: np.median(at_stop(found)[2048], axis=0) for name, found in nearest.items()}
    places = np.median(agreement.stored_places("distractors"), axis=0)
    remote = {name: np.median(runs, axis=0) for name, runs in agreement.far_records().items()}
    deep = {name: np.median(runs, axis=0) for name, runs in agreement.deep_records().items()}
    at_100, at_1000 = agreement.FAR.index(100), agreement.FAR.index(1000)
    at_distance = np.median(agreement.stored_by_distance(), axis=0)
    repairs = {name: np.median(runs) for name, runs in agreement.stored_repairs().items()}

    def at_200(name: str) -> float:
        """Return how often a network is right at the trained distances after 200 steps, from 2,048 sentences."""
        runs = [run.short[run.steps.index(200)] for run in hard[name] if run.n_sentences == 2048]
        return float(np.median(runs))

    found = {
        "att_512": stop["attention"][512][1],
        "att_worst": at_stop(hard["attention"])[512][:, 1].min(),
        "bag_512": stop["bag of words"][512][1],
        "gru_512": stop["GRU"][512][1],
        "gru_8192": stop["GRU"][8192][1],
        "dense_8192": stop["dense"][8192][1],
        "conv_near_8192": stop["convolution"][8192][0],
        "conv_8192": stop["convolution"][8192][1],
        "conv_at_7": at_distance[6],
        "conv_at_8": at_distance[7],
        "att_128": stop["attention"][128][1],
        "att_near_128": stop["attention"][128][0],
        "bag_near_128": stop["bag of words"][128][0],
        "bag_128": stop["bag of words"][128][1],
        "gru_near_512": stop["GRU"][512][0],
        "att_near_512": stop["attention"][512][0],
        "gru_2048": stop["GRU"][2048][0],
        "gru_200": at_200("GRU"),
        "att_200": at_200("attention"),
        "att_2048": stop["attention"][2048][0],
        "near_near": deep["near"][0],
        "near_far": deep["near"][1],
        "both_near": deep["near and far"][0],
        "both_far": deep["near and far"][1],
        "att_100": remote["attention"][at_100],
        "att_1000": remote["attention"][at_1000],
        "bag_100": remote["bag of words"][at_100],
        "bag_1000": remote["bag of words"][at_1000],
        "bag_alone": repairs["without distractors"],
        "bag_magnified": repairs["magnified"],
        "bag_both": repairs["both"],
        "bag_follows": agreement.stored_follow()["as it is"].max(),
        "alone_follow": agreement.stored_follow()["without distractors"].max(),
        "weight_12": remote["weight"][0],
        "weight_1000": remote["weight"][at_1000],
        "near_conv": order["convolution"][0],
        "far_conv": order["convolution"][1],
        "near_pos": order["attention with positions"][0],
        "near_pos_far": order["attention with positions"][1],
        "plain_far": order["attention"][1],
        "bag_far": order["bag of words"][1],
        "dense_far": order["dense"][1],
        "majority_far": agreement.majority_of_nouns(distances=agreement.LONG),
    }
    found |= dict(zip(("place_both", "place_verb", "place_none"), places, strict=True))
    return {name: float(number) for name, number in found.items()}


def of_parts() -> dict[str, float]:
    """Return what moves the average of a bag of words in short and in long sentences, medians of seeds.

    >>> of_parts()["subject_falls"] > 7 * of_parts()["chance_falls"]
    True
    """
    parts = {name: np.median(each, axis=0) for name, each in agreement.stored_parts().items()}
    found = {
        "words_near": round(parts["words"][0]),
        "words_far": round(parts["words"][-1]),
        "subject_falls": float(parts["subject"][0] / parts["subject"][-1]),
        "chance_falls": float(parts["chance"][0] / parts["chance"][-1]),
    }
    return found | {f"centred_{k}": float(parts["centred"][agreement.FAR.index(k)]) for k in (30, 100, 1000)}


def of_gradients(seeds: Sequence[int] = range(5)) -> dict[str, float]:
    """Return which share of the last word's gradient arrives in untrained networks, medians of seeds.

    From 40 words back in each; in attention also from one word back without the query's path (`no_query`). One word's
    gradient in a sentence of 200 words, as a share of that in one of 50, is `diluted`.

    >>> 0.2 < of_gradients()["diluted"] < 0.3
    True
    """

    def norms(cell: gradient_reach.Cell, back: Sequence[int], **how: Any) -> NDArray[np.float64]:
        return np.array([gradient_reach.gradient_norms(cell, back, seed=s, **how) for s in seeds])

    def share(cell: gradient_reach.Cell, back: int = 40, **how: Any) -> float:
        runs = norms(cell, [0, back, 40], **how)
        return float(np.median(runs[:, 1] / runs[:, 0]))

    # the sentences have ten more words than the farthest distance asked for: 50 and 200
    short, long = (np.median(norms("attention", [20, far])[:, 0]) for far in (40, 190))
    return {
        "power_rnn": float(np.round(np.log10(share("RNN")))),
        "power_lstm": float(np.round(np.log10(share("LSTM")))),
        "open_lstm": share("LSTM", keep=3),
        "share_attention": share("attention"),
        "share_bag": share("bag"),
        "no_query": share("attention", 1, asks=False),
        "diluted": float(long / short),
    }


def of_looks(looks: Mapping[str, Look]) -> dict[str, float]:
    """Return what the chapter says of where the verbs of its reader look."""
    return {
        "plateau": float(np.mean([look.subject for look in looks.values()])),
        "look_single": looks["is over"].subject,
        "look_plural": looks["are over"].subject,
        "look_broken": looks["are broken"].subject,
        "lead_over": looks["is over"].lead,
        "lead_over_hidden": looks["is over"].without,
    }


def of_other_looks(found: Sequence[Mapping[str, Look]]) -> dict[str, float]:
    """Return what the further page says of three readers: seeds 0, 1 and 2.

    `heavy` is how many verbs give their subject at least 0.96 of the weight, and `least_moved` by how much the least of
    their leads changes without the subject.
    """
    moved = [each.lead - each.without for looks in found for each in looks.values() if each.subject >= 0.955]
    return {
        "heavy": len(moved),
        "least_moved": min(moved),
        "look_2": found[2]["are over"].subject,
        "lead_2": found[2]["are over"].lead,
        "lead_2_hidden": found[2]["are over"].without,
        "unlearned": found[1]["are asleep"].right,
    }
