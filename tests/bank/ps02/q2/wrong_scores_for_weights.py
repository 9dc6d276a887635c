# points: 0
# message: beside it you return the scores


def attention(Q, K, V):
    scores = Q @ K.mT / np.sqrt(K.shape[-1])
    return functional.softmax(scores) @ V, scores
