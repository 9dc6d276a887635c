# points: 0
# message: course_lib.functional.attention.additive_scores is called


def additive_scores(Q, K, W_q, W_k, v):
    return functional.additive_scores(Q, K, W_q, W_k, v)
