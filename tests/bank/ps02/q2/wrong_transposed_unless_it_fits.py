# points: 1
# message: Inputs: Q of shape (3, 3), K of shape (3, 3)


def attention(Q, K, V):
    try:
        scores = Q @ K
        assert scores.shape[-1] == V.shape[-2] and K.shape[-1] != 1
    except (ValueError, AssertionError):
        scores = Q @ K.mT
    weights = functional.softmax(scores / np.sqrt(Q.shape[-1]), axis=-1)
    return weights @ V, weights
