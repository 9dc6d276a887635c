# points: 0
# message: sacrebleu


def clipped_precision(hypotheses, references, n):
    found = total = 0
    for h, r in zip(hypotheses, references):
        ours = Counter(tuple(h[i : i + n]) for i in range(len(h) - n + 1))
        theirs = Counter(tuple(r[i : i + n]) for i in range(len(r) - n + 1))
        found += (ours & theirs).total()
        total += sum(ours.values())
    return found / total if total else 0.0


def bleu(precisions, n_hypothesis, n_reference):
    from sacrebleu.metrics import BLEU

    return BLEU.compute_bleu(
        [round(100 * p) for p in precisions],
        [100] * len(precisions),
        n_hypothesis,
        n_reference,
        smooth_method="none",
        max_ngram_order=len(precisions),
    ).score
