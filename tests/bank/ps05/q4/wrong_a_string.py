# points: 0
# message: a list of pairs of text


def proof():
    return "softmax(Q @ (P @ K).T / sqrt(d_k)) @ (P @ V)"
