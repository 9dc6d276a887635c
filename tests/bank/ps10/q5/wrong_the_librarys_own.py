# points: 0
# message: course_lib.evaluation.bleu is called

from course_lib import evaluation


def clipped_precision(hypotheses, references, n):
    score = evaluation.bleu([" ".join(h) for h in hypotheses], [" ".join(r) for r in references])
    return score.precisions[n - 1] / 100


def bleu(precisions, n_hypothesis, n_reference):
    return (
        100
        * min(1, math.exp(1 - n_reference / n_hypothesis))
        * math.prod(precisions) ** (1 / len(precisions))
    )
