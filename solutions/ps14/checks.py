"""What decides the questions of ps14: scores of heads, patches, a probe and its control, induction heads, paths."""

import inspect
import re
from itertools import combinations, pairwise

import numpy as np

from course_grading.questions import Misconception, Part, Question
from course_lib.exercises.hints import is_truth, settled

# ---- q1: two scores for a head ----
#
# What the text says, and where it is tried:
# - before: L - 1 places have one before; H = 1 too; L = 2; weights that are nowhere 0 up to the place itself
# - induction: words that come twice, at places that leave most rows out; words that come three times and more often,
#   in the same text as others that come once; no word that comes again: 0, a part of its own
# - no word stands twice in a row; the last word may be one that comes again, and its right place the one before

ASK_Q1 = """
def entry_point(which, maps, tokens):
    return before(maps) if which == "before" else induction(maps, tokens)
"""


def weight_before(maps):
    """Return the mean weight on the place before: (H, L, L) -> (H,)."""
    return np.mean([maps[:, i, i - 1] for i in range(1, maps.shape[1])], axis=0)


def weight_after(
    maps,
    tokens,
    step=1,
    earlier=lambda found: found,
    rows=lambda rows, n: len(rows),
    alone=False,
    joined=np.sum,
):
    """Return the mean weight right after earlier occurrences: (H, L, L), L words -> (H,).

    Each argument is a place where something can go wrong.
    """
    n, sums = len(tokens), []
    for i in range(n):
        found = earlier([j for j in range(i) if tokens[j] == tokens[i]])
        if found:
            aims = [j + step for j in found if 0 <= j + step < n]
            of_row = [maps[:, i, aim] for aim in aims] or [np.zeros(len(maps))]
            sums += of_row if alone else [joined(of_row, axis=0)]
    if not sums:
        return np.zeros(len(maps))
    return np.sum(sums, axis=0) / rows(sums, n)


def _right_q1(which, maps, tokens):
    return weight_before(maps) if which == "before" else weight_after(maps, tokens)


def _of_q1(wanted, value):
    """Make a mistake in one of the two functions."""

    def answer(which, maps, tokens):
        if which != wanted:
            raise ValueError("the other function is asked for")
        return value(maps, tokens)

    return answer


def _after(**wrong):
    return _of_q1("induction", lambda maps, tokens: weight_after(maps, tokens, **wrong))


def random_maps(rng, n_heads, length):
    """Draw causal maps (H, L, L)."""
    maps = np.tril(rng.uniform(0.2, 1.0, (n_heads, length, length)) ** 3)
    return maps / maps.sum(axis=2, keepdims=True)


def spread_words(rng, counts):
    """Draw a text in which words come so often as `counts` says, and none twice in a row."""
    names = rng.permutation([f"{a}{b}" for a in "bdfglmnprst" for b in ("ear", "ell", "in", "ot", "un")])
    while True:
        tokens = rng.permutation(np.repeat(names[: len(counts)], counts)).tolist()
        if all(one != other for one, other in pairwise(tokens)):
            return tokens


def for_before(rng):
    """Yield maps of which the place before is asked for."""
    for n_heads, length in ((3, 6), (1, 2), (4, 5), (2, 9)):
        yield ["before", random_maps(rng, n_heads, length), [f"w{i}" for i in range(length)]]


def for_induction(*texts):
    """Return a function that yields maps with texts in which words come so often."""

    def cases(rng):
        for n_heads, counts in texts:
            tokens = spread_words(rng, counts)
            yield ["induction", random_maps(rng, n_heads, len(tokens)), tokens]

    return cases


Q1 = Question(
    "q1",
    ASK_Q1,
    _right_q1,
    [
        Part("before", 1, for_before),
        Part(
            "induction, words that come twice",
            1.5,
            for_induction(
                (3, [2, 1, 2, 1, 1]), (1, [1, 2, 1]), (4, [2, 2, 2, 1, 1, 1]), (2, [2, 1, 1, 1, 1])
            ),
        ),
        Part(
            "induction, words that come more often",
            1,
            for_induction((2, [4, 2, 1, 2]), (3, [3, 1, 2, 1]), (1, [3, 3, 3, 1]), (2, [5, 3, 2, 2])),
        ),
        Part("induction, no word that comes again", 0.5, for_induction((3, [1, 1, 1, 1]), (1, [1, 1]))),
    ],
    [
        Misconception(
            "before: the mean is over all places. The first has none before it, and is left out.",
            _of_q1("before", lambda maps, tokens: weight_before(maps) * (1 - 1 / maps.shape[1])),
        ),
        Misconception(
            "before: you take the weight on the place itself.",
            _of_q1("before", lambda maps, tokens: np.mean(np.diagonal(maps, axis1=1, axis2=2), axis=1)),
        ),
        Misconception(
            "before: you take the weight on the place itself, and leave the first out.",
            _of_q1(
                "before", lambda maps, tokens: np.mean(np.diagonal(maps, axis1=1, axis2=2)[:, 1:], axis=1)
            ),
        ),
        Misconception(
            "before: the weights are added up. Their mean is asked for.",
            _of_q1("before", lambda maps, tokens: weight_before(maps) * (maps.shape[1] - 1)),
        ),
        Misconception(
            "before: you take the weight with which a place looks at the one after it, which is 0 in a causal map. "
            "Rows look, columns are looked at.",
            _of_q1("before", lambda maps, tokens: np.zeros(len(maps))),
        ),
        Misconception(
            "before: one number for all heads is returned. Each head has a score.",
            _of_q1("before", lambda maps, tokens: weight_before(maps).mean()),
            sometimes="before: if there are several heads, one number for all is returned. Each has a score.",
        ),
        Misconception(
            "induction: you take the weight on the earlier word itself. The right place comes right after it.",
            _after(step=0),
        ),
        Misconception(
            "induction: you take the weight on the place before the earlier word. The right one comes after it.",
            _after(step=-1),
        ),
        Misconception(
            "induction: you look for later occurrences, where a causal map is 0. Take earlier ones.",
            _of_q1("induction", lambda maps, tokens: np.zeros(len(maps))),
        ),
        Misconception(
            "induction: places count whose word comes again only later. A word has to have occurred earlier.",
            _of_q1(
                "induction",
                lambda maps, tokens: (
                    weight_after(maps, tokens, rows=lambda sums, n: 1)
                    / max(1, sum(tokens.count(token) > 1 for token in tokens))
                ),
            ),
        ),
        Misconception("induction: you look two places after the earlier word, not one.", _after(step=2)),
        Misconception(
            "induction: the mean is over all places. Only those count whose word has occurred earlier.",
            _after(rows=lambda sums, n: n),
        ),
        Misconception(
            "induction: the mean is over all places but the first. Only those count whose word has occurred earlier.",
            _after(rows=lambda sums, n: n - 1),
        ),
        Misconception(
            "induction: the weights are added up over the places. Their mean is asked for.",
            _after(rows=lambda sums, n: 1),
        ),
        Misconception(
            "induction: of several earlier occurrences you take the latest only. Add up the weights after all of them.",
            _after(earlier=lambda found: found[-1:]),
        ),
        Misconception(
            "induction: of several earlier occurrences you take the first only. Add up the weights after all of them.",
            _after(earlier=lambda found: found[:1]),
        ),
        Misconception(
            "induction: the mean is over pairs of a place and an earlier occurrence. First add up the weights of a "
            "place, then take the mean over places.",
            _after(alone=True),
        ),
        Misconception(
            "induction: where a word occurred several times, you take the mean of the weights after its occurrences. "
            "Add them up.",
            _after(joined=np.mean),
        ),
        Misconception(
            "induction: where a word occurred several times, you take the largest of the weights after its "
            "occurrences. Add them up.",
            _after(joined=np.max),
        ),
        Misconception(
            "induction: the second and third occurrence of a word count, the later ones do not.",
            _after(earlier=lambda found: found if len(found) < 3 else []),
        ),
        Misconception(
            "induction: places whose word occurred several times are left out. Add up the weights after all earlier "
            "occurrences.",
            _after(earlier=lambda found: found if len(found) < 2 else []),
        ),
        Misconception(
            "induction: without a word that comes again you return NaN. The score is 0 then.",
            _of_q1(
                "induction",
                lambda maps, tokens: (
                    weight_after(maps, tokens) if len({*tokens}) < len(tokens) else np.full(len(maps), np.nan)
                ),
            ),
        ),
        Misconception(
            "induction: one number for all heads is returned. Each head has a score.",
            _of_q1("induction", lambda maps, tokens: weight_after(maps, tokens).mean()),
            sometimes="induction: if there are several heads, one number for all is returned. Each has a score.",
        ),
        Misconception(
            "induction: without a word that comes again you return a single 0. Each head has a score.",
            _of_q1(
                "induction",
                lambda maps, tokens: weight_after(maps, tokens) if len({*tokens}) < len(tokens) else 0.0,
            ),
        ),
    ],
    describe=lambda which, maps, tokens: (
        f"maps of shape {maps.shape}" + (f" of the text {' '.join(tokens)}" if which == "induction" else "")
    ),
)

# ---- q2: one head, one place, one path ----
#
# What the text says, and where it is tried:
# - the last layer, where nothing comes behind; earlier layers, the first of all too, where all behind is computed anew
# - directly: one later layer; several; the last layer, behind which there is none, and layer 0 of several
# - places: first, last, between; several heads, head 0 and others; texts of several lengths, that differ everywhere
# - change returns nothing, or an array


def make_run(seed, n_layers, n_heads, d_v):
    """Make a Transformer of attention alone with random weights."""
    rng, d = np.random.default_rng(seed), n_heads * d_v
    table, places = rng.normal(0, 1, (20, d)), rng.normal(0, 1, (12, d))
    W = rng.normal(0, d**-0.5, (n_layers, 4, n_heads, d, d_v))

    def run(ids, change=None):
        ids = [int(i) for i in ids]
        state = table[ids] + places[: len(ids)]
        for layer, (W_Q, W_K, W_V, W_O) in enumerate(W):
            scores = 2 * (state @ W_Q) @ (state @ W_K).swapaxes(1, 2) / d_v**0.5
            scores = np.where(np.tri(len(ids), dtype=bool), scores, -np.inf)
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            z = weights / weights.sum(axis=-1, keepdims=True) @ (state @ W_V)
            changed = None if change is None else change(layer, z)
            changed = z if changed is None else np.asarray(changed)
            if changed.shape != z.shape:
                raise ValueError(f"change returned an array of shape {changed.shape}; expected is {z.shape}")
            state = state + (changed @ W_O.swapaxes(1, 2)).sum(axis=0)
        return state @ table.T

    return run


ASK_Q2 = f"""
import numpy as np

{inspect.getsource(make_run)}

def entry_point(which, model, *given):
    return (patched if which == "patched" else directly)(make_run(*model), *given)
"""


def replaced(
    which, model, ids, donor, layer, head, place,
    heads=lambda head: head, at=lambda place: place, layers=lambda n, layer: n == layer,
    held=lambda n, layer: n > layer, held_heads=lambda head: slice(None), held_at=lambda place: slice(None),
    held_from="ids", exchanged=False, add=False,
):  # fmt: skip
    """Return the logits of a patched run; each argument after the place is where something can go wrong."""
    run, kept = make_run(*model), {}
    if exchanged:
        ids, donor = donor, ids
    for name, text in (("ids", ids), ("donor", donor)):
        run(text, lambda n, z, name=name: kept.update({(name, n): z.copy()}))

    def change(n, z):
        if which == "directly" and held(n, layer):
            here = held_heads(head), held_at(place)
            z[here] = kept[held_from, n][here]
        if layers(n, layer):
            theirs = kept["donor", n][heads(head), at(place)]
            z[heads(head), at(place)] = theirs + (z[heads(head), at(place)] if add else 0)

    return run(ids, change)


def _patch(of, **wrong):
    """Make a mistake in one of the two functions."""

    def answer(which, *given):
        if which != of:
            raise ValueError("the other function is asked for")
        return replaced(which, *given, **wrong)

    return answer


def _head_for_place(of):
    """Write z[place, head]; where that does not stop, other numbers come out."""

    def answer(which, model, ids, donor, layer, head, place):
        if which != of:
            raise ValueError("the other function is asked for")
        return replaced(which, model, ids, donor, layer, place, head)

    return answer


def texts_to_patch(which, *sizes):
    """Return a function that yields a model, two texts, and what is to be patched."""

    def cases(rng):
        for n_layers, n_heads, length, layer, head, place in sizes:
            ids = rng.integers(0, 20, length)
            donor = (ids + rng.integers(1, 20, length)) % 20
            model = [int(rng.integers(2**31)), n_layers, n_heads, int(rng.integers(2, 5))]
            yield [which, model, ids.tolist(), donor.tolist(), layer, head, place]

    return cases


ALL = slice(None)
Q2 = Question(
    "q2",
    ASK_Q2,
    replaced,
    [
        Part(
            "patched, in the last layer", 1, texts_to_patch("patched", (2, 3, 5, 1, 1, 2), (1, 2, 4, 0, 0, 1))
        ),
        Part(
            "patched, in an earlier layer",
            1,
            texts_to_patch("patched", (2, 2, 5, 0, 1, 2), (3, 3, 6, 1, 2, 1), (4, 2, 4, 0, 0, 0)),
        ),
        Part(
            "directly, with one later layer",
            1,
            texts_to_patch("directly", (2, 2, 5, 0, 1, 0), (3, 3, 6, 1, 2, 3), (2, 3, 4, 0, 0, 0)),
        ),
        Part(
            "directly, with several later layers",
            1,
            texts_to_patch("directly", (3, 2, 5, 0, 1, 1), (4, 3, 6, 1, 0, 2), (5, 2, 4, 0, 1, 0)),
        ),
    ],
    [
        *(
            Misconception(f"{name}: {message}", _patch(name, **wrong), sometimes and f"{name}: {sometimes}")
            for message, wrong, sometimes in (
                ("nothing is patched: these are the logits of ids.", {"layers": lambda n, k: False}, ""),
                (
                    "ids and donor have changed places: the run is one of donor, with what the head puts out for ids.",
                    {"exchanged": True},
                    "",
                ),
                (
                    "these are the logits of donor. What is returned must be of ids, in a run in which one head, at "
                    "one place, puts out what it does for donor.",
                    {"exchanged": True, "layers": lambda n, k: False, "held": lambda n, k: False},
                    "",
                ),
                (
                    "the head is patched at all places. One place alone is asked for.",
                    {"at": lambda place: ALL},
                    "",
                ),
                (
                    "the head is patched from the place on, not there alone.",
                    {"at": lambda place: slice(place, None)},
                    "",
                ),
                (
                    "the head is patched up to the place, not there alone.",
                    {"at": lambda place: slice(place + 1)},
                    "",
                ),
                (
                    "all heads of the layer are patched. One alone is asked for.",
                    {"heads": lambda head: ALL},
                    "",
                ),
                (
                    "all heads of the layer are patched, at all places. One head, at one place, is asked for.",
                    {"heads": lambda head: ALL, "at": lambda place: ALL},
                    "",
                ),
                (
                    "the head is patched in each layer. One layer alone is asked for.",
                    {"layers": lambda n, layer: True},
                    "in models of several layers the head is patched in each of them. One layer alone is asked for.",
                ),
                (
                    "what the head puts out for donor is added to what it puts out for ids. It takes its place.",
                    {"add": True},
                    "",
                ),
            )
            for name in ("patched", "directly")
        ),
        Misconception(
            "patched: the head is patched in its own layer and in those behind it. They are to be computed anew.",
            _patch("patched", layers=lambda n, layer: n >= layer),
        ),
        Misconception(
            "patched: the layers behind the head put out what they do for ids without a patch. They are to be computed "
            "anew.",
            lambda which, *given: replaced("directly", *given) if which == "patched" else _other_function(),
        ),
        Misconception(
            "directly: the layers behind the head are computed anew. They are to put out what they do for ids without "
            "a patch.",
            _patch("directly", held=lambda n, layer: False),
        ),
        Misconception(
            "directly: only the next layer is held fast. All layers behind the head put out what they do for ids.",
            _patch("directly", held=lambda n, layer: n == layer + 1),
        ),
        Misconception(
            "directly: only the last layer is held fast. All layers behind the head put out what they do for ids.",
            lambda which, model, *given: (
                replaced(which, model, *given, held=lambda n, layer: n == model[1] - 1 > layer)
                if which == "directly"
                else _other_function()
            ),
        ),
        Misconception(
            "directly: the layers behind the head put out what they do for donor. They are to put out what they do for "
            "ids.",
            _patch("directly", held_from="donor"),
        ),
        Misconception(
            "directly: behind the head, only heads of the same number are held fast. All heads are.",
            _patch("directly", held_heads=lambda head: head),
        ),
        Misconception(
            "directly: behind the head, the heads are held fast at its place only. They are at all places.",
            _patch("directly", held_at=lambda place: place),
        ),
        *(
            Misconception(
                f"{name}: head and place have changed places. z is (H, L, d_v): z[head, place].",
                _head_for_place(name),
            )
            for name in ("patched", "directly")
        ),
        Misconception(
            "directly: the layers behind the head are taken out: they put out 0. They are to put out what they do for "
            "ids.",
            lambda which, *given: _without_later_layers(*given) if which == "directly" else _other_function(),
        ),
    ],
    tolerance=2e-4,
    describe=lambda which, model, ids, donor, layer, head, place: (
        f"{which}(run, {ids}, {donor}, {layer}, {head}, {place}), a model of {model[1]} "
        f"layer{'s' * (model[1] > 1)} with {model[2]} heads"
    ),
)


def _other_function():
    raise ValueError("the other function is asked for")


def _without_later_layers(model, ids, donor, layer, head, place):
    run, kept = make_run(*model), {}
    run(donor, lambda n, z: kept.update({n: z.copy()}))

    def change(n, z):
        if n > layer:
            z[:] = 0
        if n == layer:
            z[head, place] = kept[n][head, place]

    return run(ids, change)


# ---- q3: a probe and its control ----
#
# What the text says, and where it is tried. Each line is a part of its own, in which the others do not show, however
# they were mended:
# - line 3, labels of words: the second share, if shuffling leaves all words their label, but not all rows; so what
#   the probe says is compared with the same labels, whichever line 7 takes
# - line 4, rows of training: the first share, with a probe that remembers and one that does not
# - line 7, labels of the control: the second share, where shuffling rows and shuffling words give the same labels
# - line 8, the constant: the third share, where training and test rows agree and where they do not, both ways
# - the diagnosis: each line by itself; letters, in either case; four entries in all
# - each word has training rows and test rows; neither label is half of the training rows

ASK_Q3 = """
import numpy as np

def entry_point(which, x=None, y=None, word=None, test=None, of_words=None, of_rows=None, kind=None):
    if x is not None:
        def shuffle(labels):
            labels = np.asarray(labels)
            known = {len(of_words): of_words, len(of_rows): of_rows}
            return labels[known.get(len(labels), np.roll(np.arange(len(labels)), 1))]

        def probe(x_train, y_train, x_test):
            x_train, y_train, x_test = (np.asarray(given) for given in (x_train, y_train, x_test))
            if kind == "nearest":
                return y_train[((x_test[:, None] - x_train[None]) ** 2).sum(axis=-1).argmin(axis=1)]
            w = np.linalg.solve(x_train.T @ x_train + np.eye(x_train.shape[1]), x_train.T @ (2.0 * y_train - 1))
            return (x_test @ w > 0).astype(int)

        shares = study(x, y, word, test, shuffle, probe)
        if len(shares) != 3:
            raise ValueError(f"expected are three shares; study returns {len(shares)}")
        return shares[which]
    found = diagnosis()
    if not isinstance(found, dict):
        raise ValueError("expected is a dictionary with four entries")
    if len(found) != 4:
        raise ValueError(f"four lines are wrong; you name {len(found)}")
    if not all(str(line).strip().isdigit() for line in found):
        raise ValueError("on the left stands the number of a line, on the right a letter")
    letter = {str(line).strip(): str(letter).strip().upper() for line, letter in found.items()}.get(str(which))
    return "not named" if letter is None else letter
"""

FAULTS = {3: "B", 4: "A", 7: "C", 8: "D"}


def said_by(kind, x_train, y_train, x_test):
    """Return the labels that a probe gives to the test rows."""
    if kind == "nearest":
        return y_train[((x_test[:, None] - x_train[None]) ** 2).sum(-1).argmin(1)]
    w = np.linalg.solve(x_train.T @ x_train + np.eye(x_train.shape[1]), x_train.T @ (2.0 * y_train - 1))
    return (x_test @ w > 0).astype(int)


def shares_of(
    x, y, word, test, of_words, of_rows, kind,
    trained=lambda test: ~test, tested=lambda test: test, control=None, compared=None, real=None, constant=None,
):  # fmt: skip
    """Return the three shares of a study; each argument after the kind is where something can go wrong."""
    labels = np.array([y[word == w][0] for w in range(word.max() + 1)])
    arbitrary = (
        labels[of_words][word] if control is None else control(y, labels, word, of_words, of_rows, test)
    )
    on = tested(test)
    said = said_by(kind, x[trained(test)], y[trained(test)], x[on])
    said_of_control = said_by(kind, x[~test], arbitrary[~test], x[test])
    of_control = arbitrary if compared is None else compared(y, arbitrary)
    frequent = 1 if 2 * y[~test].sum() > (~test).sum() else 0
    return [
        float(np.mean(said == (y if real is None else arbitrary)[on])),
        float(np.mean(said_of_control == of_control[test])),
        float(np.mean(y[test] == frequent))
        if constant is None
        else float(constant(y, labels, test, frequent)),
    ]


def _right_q3(which, *given):
    return FAULTS[which] if not given else shares_of(*given)[which]


def _study(share, **wrong):
    """Make a mistake in one of the three shares."""

    def answer(which, *given):
        if not given or which != share:
            raise ValueError("something else is asked for")
        return shares_of(*given, **wrong)[share]

    return answer


AS_THEY_WERE = {
    3: {"control": lambda y, labels, word, of_words, of_rows, test: y[of_rows]},
    4: {"trained": lambda test: np.ones_like(test)},
    7: {"compared": lambda y, arbitrary: y},
    8: {"constant": lambda y, labels, test, frequent: max(y[test].mean(), 1 - y[test].mean())},
}
OTHERS = [
    (0, {"trained": lambda test: test}),
    (0, {"tested": lambda test: np.ones_like(test)}),
    (0, {"tested": lambda test: ~test}),
    (2, {"constant": lambda y, labels, test, frequent: np.mean(y[~test] == frequent)}),
    (2, {"constant": lambda y, labels, test, frequent: np.mean(y == frequent)}),
    (2, {"constant": lambda y, labels, test, frequent: np.mean(y[test] != frequent)}),
    (2, {"constant": lambda y, labels, test, frequent: max(labels.mean(), 1 - labels.mean())}),
    (2, {"constant": lambda y, labels, test, frequent: np.mean(y[test] == (2 * y.sum() > len(y)))}),
    (2, {"constant": lambda y, labels, test, frequent: np.mean(y[test] == (labels.mean() > 0.5))}),
]


def study_rows(rng, n_words, more, d, noise):
    """Draw vectors, labels, words and test rows; each word has both kinds of rows."""
    labels = rng.permutation((np.arange(n_words) + rng.integers(2)) % 2)
    word = np.concatenate([np.arange(n_words), np.arange(n_words), rng.integers(0, n_words, more)])
    test = np.arange(len(word)) % 2 == 0
    test[:n_words], test[n_words : 2 * n_words] = False, True
    order = rng.permutation(len(word))
    word, test = word[order], test[order]
    x = rng.normal(0, 1, (n_words, d))[word] + rng.normal(0, noise, (len(word), d))
    x[:, 0] += 0.7 * (2 * labels[word] - 1)
    return x, labels, word, test


def _same_labels(rng, ours, theirs):
    """Draw an order in which labels `ours` become `theirs`."""
    order = np.zeros(len(ours), dtype=int)
    for label in (0, 1):
        order[theirs == label] = rng.permutation(np.flatnonzero(ours == label))
    return order


def _drawn(rng, share, make, differ):
    """Draw until all given mistakes show."""
    while True:
        given = make()
        if given is None:
            continue
        right = shares_of(*given)[share]
        if all(abs(shares_of(*given, **wrong)[share] - right) > 1e-6 for wrong in differ):
            return [share, *given]


def _uneven(y, test):
    return 2 * y[~test].sum() != (~test).sum()


def for_line_3(rng):
    """Yield rows in which shuffling leaves all words, but not all rows, their labels."""
    for n_words, more, d, kind in ((8, 20, 3, "nearest"), (12, 31, 5, "linear"), (10, 24, 4, "nearest")):

        def make(n_words=n_words, more=more, d=d, kind=kind):
            x, labels, word, test = study_rows(rng, n_words, more, d, 0.2)
            y = labels[word]
            of_words = _same_labels(rng, labels, labels)
            of_rows = rng.permutation(len(y))
            return (x, y, word, test, of_words, of_rows, kind) if _uneven(y, test) else None

        yield _drawn(rng, 1, make, [AS_THEY_WERE[3]])


def for_line_4(rng):
    """Yield rows of which some are hard to tell apart."""
    for n_words, more, d, kind in ((8, 20, 3, "nearest"), (12, 31, 5, "linear"), (10, 24, 4, "nearest")):

        def make(n_words=n_words, more=more, d=d, kind=kind):
            x, labels, word, test = study_rows(rng, n_words, more, d, 1.0)
            y = labels[word]
            of_words, of_rows = rng.permutation(n_words), rng.permutation(len(y))
            given = x, y, word, test, of_words, of_rows, kind
            with_tests, by_tests = (shares_of(*given, **some)[0] for some in (AS_THEY_WERE[4], OTHERS[0][1]))
            are_apart = kind == "nearest" or with_tests != by_tests
            return given if _uneven(y, test) and are_apart else None

        differ = [AS_THEY_WERE[4], *(wrong for share, wrong in OTHERS if share == 0), {"real": True}]
        yield _drawn(rng, 0, make, differ)


def for_line_7(rng):
    """Yield rows in which shuffling rows gives the labels that shuffling words gives."""
    for n_words, more, d, kind in ((8, 20, 3, "nearest"), (12, 31, 5, "linear"), (10, 24, 4, "nearest")):

        def make(n_words=n_words, more=more, d=d, kind=kind):
            x, labels, word, test = study_rows(rng, n_words, more, d, 0.2)
            y, of_words = labels[word], rng.permutation(n_words)
            control = labels[of_words][word]
            if control.sum() != y.sum() or not _uneven(y, test):
                return None
            return x, y, word, test, of_words, _same_labels(rng, y, control), kind

        differ = [AS_THEY_WERE[7], {"control": lambda y, *rest: y}]
        yield _drawn(rng, 1, make, differ)


def for_line_8(rng):
    """Yield rows in which the more frequent label differs between training and test rows, both ways, and agrees."""
    # More than half are 1: of the training rows, of the test rows, of all rows, of the words.
    for more, wanted in ((21, (0, 1, 1, 1)), (24, (1, 0, 1, 0)), (23, (1, 1, 1, 0)), (20, (0, 0, 0, 1))):

        def make(more=more, wanted=wanted):
            x, labels, word, test = study_rows(rng, 9, more, 3, 0.3)
            y = labels[word]
            shares = [some.mean() for some in (y[~test], y[test], y, labels)]
            if 0.5 in shares or tuple(int(share > 0.5) for share in shares) != wanted:
                return None
            of_words = rng.permutation(9)
            if int(labels[of_words][word][~test].mean() > 0.5) == wanted[0]:  # of the control labels
                return None
            return x, y, word, test, of_words, rng.permutation(len(y)), "nearest"

        chosen_by_tests = [AS_THEY_WERE[8]] if wanted[0] != wanted[1] else []
        yield _drawn(rng, 2, make, [*chosen_by_tests, *(wrong for share, wrong in OTHERS[3:6])])


def named(line):
    """Return a function that yields one question: the letter of a line."""
    return lambda rng: [[line]]


def _lettered(line, letter):
    """Name this letter for one line."""

    def answer(which, *given):
        if given or which != line:
            raise ValueError("something else is asked for")
        return letter

    return answer


WHY = {
    "A": "A is a fault of the rows on which the first probe is trained.",
    "B": "B is a fault of how the control labels are made.",
    "C": "C is a fault in a comparison: the control's probe has learned the control labels.",
    "D": "D is a fault of the constant answer.",
    "E": "E does not happen: every word has training rows and test rows, and no line changes that.",
    "F": "F does not happen: both probes are tested on the rows that `test` marks.",
}

Q3 = Question(
    "q3",
    ASK_Q3,
    _right_q3,
    [
        Part("line 3 mended", 0.5, for_line_3),
        Part("line 4 mended", 0.5, for_line_4),
        Part("line 7 mended", 0.5, for_line_7),
        Part("line 8 mended", 0.5, for_line_8),
        *(Part(f"line {line} named, with its fault", 0.5, named(line)) for line in FAULTS),
    ],
    [
        Misconception(
            "Control: the labels of the rows are still shuffled, so that a word can have both. Shuffle the labels of "
            "the words, and give each row the label of its word.",
            _study(1, **AS_THEY_WERE[3]),
        ),
        Misconception(
            "Control: the labels of the rows are still shuffled, so that a word can have both, and what the probe says "
            "is still compared with the real labels.",
            _study(1, **AS_THEY_WERE[3], **AS_THEY_WERE[7]),
        ),
        Misconception(
            "Control: what its probe says is still compared with the real labels. It has learned the control labels, "
            "and is tested on them.",
            _study(1, **AS_THEY_WERE[7]),
        ),
        Misconception(
            "Control: its labels are the real ones: nothing is shuffled.",
            _study(1, control=lambda y, *rest: y),
        ),
        Misconception(
            "Accuracy: the probe is still trained on all rows, those that test it too.",
            _study(0, **AS_THEY_WERE[4]),
        ),
        Misconception("Accuracy: the probe is trained on the test rows.", _study(0, **OTHERS[0][1])),
        Misconception("Accuracy: the probe is tested on all rows.", _study(0, **OTHERS[1][1])),
        Misconception("Accuracy: the probe is tested on the training rows.", _study(0, **OTHERS[2][1])),
        Misconception(
            "Accuracy: what the probe says is now compared with the control labels. Line 6 was right.",
            _study(0, real=True),
        ),
        Misconception(
            "Constant: it is still chosen by the test rows. It is the more frequent label of the training rows.",
            _study(2, **AS_THEY_WERE[8]),
        ),
        Misconception(
            "Constant: its share of the training rows is returned. That of the test rows is asked for.",
            _study(2, **OTHERS[3][1]),
        ),
        Misconception(
            "Constant: its share of all rows is returned. That of the test rows is asked for.",
            _study(2, **OTHERS[4][1]),
        ),
        Misconception(
            "Constant: it is the label that is less frequent in the training rows.", _study(2, **OTHERS[5][1])
        ),
        Misconception(
            "Constant: it is the share of words with the more frequent label. Rows are asked for.",
            _study(2, **OTHERS[6][1]),
        ),
        Misconception(
            "Constant: it is chosen by all rows, those that test it too.", _study(2, **OTHERS[7][1])
        ),
        Misconception(
            "Constant: it is chosen by the words. A word with many rows counts as often as it has training rows.",
            _study(2, **OTHERS[8][1]),
        ),
        *(
            Misconception(
                f"Line {line} is wrong, and not among those that you name.", _lettered(line, "not named")
            )
            for line in FAULTS
        ),
        *(Misconception(why, _lettered(line, letter)) for letter, why in WHY.items() for line in FAULTS),
    ],
    describe=lambda which, *given: (
        f"{('accuracy', 'accuracy on the control', 'constant')[which]} of {len(given[1])} rows of "
        f"{len(given[4])} words"
        if given
        else "your diagnosis"
    ),
)

# ---- q4: a test for induction heads ----
#
# What the text says, and where it is tried:
# - induction heads that share their weight among the places after earlier occurrences, or go by the latest or by the
#   first alone; from 0.61 of their weight on; whose other weight lies at the start or anywhere
# - beside the right place: the word before, the earlier word, one too far, one too early
# - at the right place with 0.35 of the weight, which is the largest weight nevertheless; induction heads that are wrong
#   where a word stands twice in a row
# - by position: all distances back from 2 to 12, all places from 1 to 6; earlier occurrences among the first twelve
# - over some distances: each single one from 3 to 12; at most 6; at least 10; all but three in a row between 2 and 20
# - over any distance from 2 on: induction heads are right over all of them, beyond 20, too
# - True or False: any single bool of Python, NumPy or torch, or a number that is 0 or 1, as in the visible test


def build(code):
    """Make a head, of which kind it is its number says to who knows KINDS; the rest is a distance or place, a seed."""
    kind, number, seed = code % 16, code // 16 % 32, code // 512

    def head(tokens):
        words = np.array([str(token) for token in tokens])
        n = len(words)
        i, j = np.arange(n)[:, None], np.arange(n)[None, :]
        same = (words[:, None] == words[None, :]) & (j < i)
        if kind == "latest":
            same &= ~(np.cumsum(same[:, ::-1], axis=1)[:, ::-1] > 1)
        if kind == "first":
            same &= ~(np.cumsum(same, axis=1) > 1)
        if kind == "single":
            same &= i - j == number
        if kind == "near":
            same &= i - j <= 6
        if kind == "distant":
            same &= i - j >= 10
        if kind == "neighbour":
            same[1:] &= (words[1:] != words[:-1])[:, None]
        if kind == "gap":
            same &= (i - j < number) | (i - j > number + 2)
        if kind == "beginning":
            same &= j < 12
        start = 1
        if kind == "itself":
            start = 2
        if kind == "early":
            start = 3
        if kind == "late":
            start = 0
        aim = np.pad(same, ((0, 0), (2, 1)))[:, start : start + n] & (j <= i)
        if kind == "previous":
            aim = j == i - 1
        if kind == "back":
            aim = j == i - number
        if kind == "fixed":
            aim = (j == number) & (j <= i)
        rng = np.random.default_rng([seed, n])
        strength = [0.61, 0.7, 0.8, 0.93][seed % 4]
        rest = np.tril(rng.uniform(0.2, 1, (n, n)))
        rest[:, 0] += n * (seed // 4 % 2)
        if kind == "weak":  # and yet no other place has as much
            strength, rest = 0.35, np.tri(n) * ~aim
        rest[~aim.any(axis=1), 0] += 2 * n
        weights = (1 - strength) * rest / rest.sum(axis=1, keepdims=True)
        weights = weights + strength * aim / np.maximum(aim.sum(axis=1, keepdims=True), 1)
        return weights / weights.sum(axis=1, keepdims=True)

    return head


# For each kind, in the order in which they are told, what is said to whose test takes it for the other sort.
TURNED_AWAY = {
    "shared": "one that shares its weight among the places after all earlier occurrences. Add up the weights on all of "
    "them; where a word is new, any head may look anywhere",
    "latest": "one that goes by the latest occurrence alone. Add up the weights after all earlier ones; then one of "
    "them may have all, and 0.6 is enough",
    "first": "one that goes by the first occurrence alone. Add up the weights after all earlier ones; then one of them "
    "may have all, and 0.6 is enough",
    "neighbour": "one that is wrong where a word stands twice in a row. There it may look anywhere",
}
LET_THROUGH = {
    "weak": "one that gives the right places 0.35 of its weight, though no other place has as much. Less than 0.4 is "
    "too little",
    "previous": "one that looks at the word just before",
    "itself": "one that looks at the earlier occurrence itself, not right after it",
    "late": "one that looks two places after the earlier occurrence",
    "early": "one that looks just before the earlier occurrence",
    "back": "one that looks a fixed number of places back. Let words come again over different distances",
    "fixed": "one that always looks at the same place. Let earlier occurrences stand at different places",
    "single": "one that is right over a single distance only. Let words come again over different distances, and "
    "let it be wrong nowhere",
    "near": "one that is right only if the earlier occurrence is near. Try distances above 6 as well, and let it be "
    "wrong nowhere",
    "beginning": "one that finds the earlier occurrence only among the first twelve words. Let it stand further on as "
    "well, and let it be wrong nowhere",
    "distant": "one that is right only if the earlier occurrence is far away. Try distances below 10 as well, and let "
    "it be wrong nowhere",
    "gap": "one that is right over all distances but three in a row. Try each distance from 2 to 20, and let it be "
    "wrong nowhere",
}
TOLD = [*TURNED_AWAY, *LET_THROUGH]
KINDS = sorted(TOLD)


def _by_number(source: str) -> str:
    """Put numbers in place of the names of kinds: the student's kernel is to hold nothing that gives them away."""
    return re.sub('"(' + "|".join(KINDS) + ')"', lambda found: str(KINDS.index(found[1])), source)


# Functions are no plain values, so that the heads are made in the student's kernel, from numbers.
ASK_Q4 = f"""
import numpy as np

{_by_number(inspect.getsource(build))}

def entry_point(codes):
    return [is_induction(build(code)) for code in codes]
"""


def _not_truth(one) -> str:
    """Say what was returned in place of True or False; the student's visible test says the same."""
    shape = getattr(one, "shape", None)
    if shape is not None and shape != ():
        return f"an array of shape {tuple(shape)}"
    if isinstance(one, str):
        return "a text"
    return "a number other than 0 and 1" if isinstance(one, (int, float, np.ndarray)) else "something else"


def tells_apart(answers, codes) -> str:
    """Say what a test gets wrong about heads, given by their numbers; "" if nothing."""
    answers = answers if isinstance(answers, list) else []
    if any(one is None for one in answers):
        return "is_induction returns None: is its `return` missing, or not reached?"
    answers = [settled(one) for one in answers]
    if len(answers) != len(codes):
        return "is_induction must return True or False."
    for one in answers:
        if not is_truth(one):
            return f"is_induction must return True or False (1 and 0 count as well); it returns {_not_truth(one)}."
    of_kind: dict[str, list[bool]] = {}
    for code, one in zip(codes, answers, strict=True):
        of_kind.setdefault(KINDS[code % 16], []).append(bool(one))
    for kind in TOLD:
        told = of_kind.get(kind, [])
        if kind in TURNED_AWAY and not all(told):
            by_luck = " sometimes" if any(told) else ""
            return f"Your test{by_luck} turns away an induction head: {TURNED_AWAY[kind]}."
        if kind in LET_THROUGH and any(told):
            by_luck = "" if all(told) else " sometimes"
            return f"Your test{by_luck} lets through a head that is none: {LET_THROUGH[kind]}."
    return ""


def _heads(*kinds):
    """Make a function that draws one case: two heads of each kind and number (one with a gap), in any order."""
    numbers = {"back": range(2, 13), "fixed": range(1, 7), "single": range(3, 13), "gap": range(2, 19)}
    rest = [KINDS.index(kind) + 16 * number for kind in kinds for number in numbers.get(kind, [0])]

    def cases(rng):
        seeds = [8 * int(rng.integers(2**20)) + kind for kind in (4, 3)]  # a weak one and a strong one
        return [
            [
                [
                    int(code + 512 * seeds[k])
                    for code in rng.permutation(rest)
                    for k in range(1 if KINDS[code % 16] == "gap" else 2)
                ]
            ]
        ]

    return cases


Q4 = Question(
    "q4",
    ASK_Q4,
    None,
    [
        Part(
            "beside the right place",
            1.5,
            _heads("shared", "latest", "first", "previous", "itself", "late", "early"),
        ),
        Part("too little weight, a word twice in a row", 0.5, _heads("shared", "weak", "neighbour")),
        Part("by position", 1, _heads("shared", "back", "fixed", "beginning")),
        Part("over some distances only", 1, _heads("shared", "single", "near", "distant", "gap")),
    ],
    accepts=tells_apart,
    describe=lambda codes: "",
)

# ---- q5: close all paths ----
#
# What the text says, and where it is tried:
# - sets of one, two and three heads, each the only one of its size; up to ten heads; a larger set that closes all paths
#   too, and from which nothing can be left out; heads that cost something, and close no path
# - a score of exactly 0.5; the order of the names is any; the names are words

ASK_Q5 = """
def entry_point(heads, paths, minor, lowest):
    def score(removed):
        removed = {removed} if isinstance(removed, str) else {str(name) for name in removed}
        if not removed <= set(heads):
            raise ValueError(f"score was asked to remove {sorted(removed - set(heads))[0]}, which is no head")
        is_open = any(removed.isdisjoint(path) for path in paths)
        return (0.95 if is_open else lowest) - 0.05 * len(removed & set(minor)) * is_open
    found = smallest(score, list(heads))
    if found is None:
        raise ValueError("smallest returns None: is its `return` missing, or not reached?")
    return sorted({found} if isinstance(found, str) else {str(name) for name in found})
"""


def score_of(paths, minor, lowest):
    """Return the score of a pretended model, as a function of the removed heads."""

    def score(removed):
        is_open = any(set(removed).isdisjoint(path) for path in paths)
        return (0.95 if is_open else lowest) - 0.05 * len(set(removed) & set(minor)) * is_open

    return score


def closing(score, heads, n):
    """Return all sets of n heads without which the score is 0.5 or less."""
    return [some for some in combinations(heads, n) if score(some) <= 0.5]


def _right_q5(heads, paths, minor, lowest):
    score = score_of(paths, minor, lowest)
    return sorted(next(found[0] for n in range(1, 4) if (found := closing(score, heads, n))))


def one_after_another(heads, paths, minor, lowest):
    """Remove the head that costs most, then the one that costs most besides, and so on."""
    score, removed = score_of(paths, minor, lowest), []
    while score(removed) > 0.5:
        removed.append(min((h for h in heads if h not in removed), key=lambda h: score([*removed, h])))
    return sorted(removed)


def put_back(heads, paths, minor, lowest):
    """Remove all, and put back one after the other what can be put back."""
    score, removed = score_of(paths, minor, lowest), list(heads)
    for head in heads:
        if score([h for h in removed if h != head]) <= 0.5:
            removed.remove(head)
    return sorted(removed)


def all_that_cost(heads, paths, minor, lowest):
    """Return all heads whose removal costs something, each by itself."""
    score = score_of(paths, minor, lowest)
    return sorted(h for h in heads if score([h]) < score([]) - 1e-9)


def costs_most(heads, paths, minor, lowest):
    """Return the head whose removal costs most."""
    score = score_of(paths, minor, lowest)
    return [min(heads, key=lambda h: score([h]))]


def all_in_some_set(heads, paths, minor, lowest):
    """Return all heads of all sets of one, two or three that close."""
    score = score_of(paths, minor, lowest)
    return sorted({h for n in range(1, 4) for some in closing(score, heads, n) for h in some})


def kept_for_removed(heads, paths, minor, lowest):
    """Return the first of the smallest sets whose heads alone, if they are kept, let the score be 0.5 or less."""
    score = score_of(paths, minor, lowest)
    some = next(
        some
        for n in range(1, len(heads))
        for some in combinations(heads, n)
        if score([head for head in heads if head not in some]) <= 0.5
    )
    return sorted(some)


def _reversed(wrong):
    return lambda heads, *given: wrong(heads[::-1], *given)


def models(n, *lowest):
    """Return a function that yields models for which n heads have to be removed."""

    def draw(rng, n_heads, low):
        names = [f"{layer} {h}" for layer in ("encoder", "cross") for h in range(5)]
        heads = rng.permutation(names)[:n_heads].tolist()
        wanted, minor, others = heads[:n], heads[n : n + 1], heads[n + 1 :]
        paths = [[head, str(other)] for head in wanted for other in rng.permutation(others)[:2]]
        given = [rng.permutation(heads).tolist(), rng.permutation(paths).tolist(), minor, low]
        score = score_of(*given[1:])
        are_alone = [len(closing(score, heads, m)) for m in range(1, n + 1)] == [0] * (n - 1) + [1]
        return given, sorted(wanted), are_alone

    def cases(rng):
        for k, low in enumerate(lowest):
            taken_back = _reversed(put_back) if k % 2 else put_back
            while True:
                given, right, are_alone = draw(rng, 10 - k // 2, low)
                greedy = n > 1 and one_after_another(*given) == right
                if are_alone and not greedy and taken_back(*given) != right:
                    yield given
                    break

    return cases


Q5 = Question(
    "q5",
    ASK_Q5,
    _right_q5,
    [
        Part("one head", 1, models(1, 0.3, 0.4, 0.2)),
        Part("two heads", 1, models(2, 0.3, 0.4, 0.2)),
        Part("three heads", 1, models(3, 0.3, 0.5, 0.2)),
    ],
    [
        Misconception(
            "You remove the head that costs most, then the one that costs most besides, and so on. Heads that stand "
            "in for one another cost nothing one at a time: try sets.",
            one_after_another,
        ),
        Misconception(
            "You remove all heads and put back what can be put back. Nothing can be left out of what remains, but "
            "there is a smaller set.",
            put_back,
        ),
        Misconception(
            "You remove all heads and put back what can be put back. Nothing can be left out of what remains, but "
            "there is a smaller set.",
            _reversed(put_back),
        ),
        Misconception(
            "You return the heads that cost something, each by itself. Heads that stand in for one another cost "
            "nothing one at a time: try sets.",
            all_that_cost,
        ),
        Misconception(
            "You return the one head that costs most. Where there are several paths, several heads may be needed.",
            costs_most,
        ),
        Misconception(
            "You return all heads that are in some set that closes all paths. The smallest set alone is asked for.",
            all_in_some_set,
        ),
        Misconception(
            "You return no head where three are needed: sets of one and two are not enough.",
            lambda *given: [] if len(_right_q5(*given)) == 3 else _right_q5(*given),
        ),
        Misconception(
            "You return no head where several are needed: try sets of two and three.",
            lambda *given: [] if len(_right_q5(*given)) > 1 else _right_q5(*given),
        ),
        Misconception(
            "You return three heads where fewer are enough. Try sets of one and two first.",
            lambda heads, *given: sorted(min(combinations(heads, 3), key=score_of(*given))),
        ),
        Misconception(
            "The score has to be 0.5 or less: 0.5 itself is low enough.",
            lambda heads, paths, minor, lowest: (
                sorted(heads) if lowest == 0.5 else _right_q5(heads, paths, minor, lowest)
            ),
        ),
        Misconception(
            "score takes the heads that are to be removed. You give it those that are to be kept.",
            kept_for_removed,
        ),
        Misconception(
            "You return all heads. The smallest set is asked for.", lambda heads, *given: sorted(heads)
        ),
    ],
    describe=lambda heads, paths, minor, lowest: (
        f"{len(heads)} heads, a score of {lowest} if enough of them are removed"
    ),
)

QUESTIONS = [Q1, Q2, Q3, Q4, Q5]
