# points: 3
# message: the largest error is


def attention(Q, K, V):
    before = Q.shape[:-2]
    if Q.ndim > 2:  # the first sentence's values for all
        V = V.reshape(-1, *V.shape[-2:])[0]
    weights = functional.softmax(Q @ K.mT / np.sqrt(K.shape[-1]), axis=-1)
    output = weights @ V
    return output.reshape(*before, *output.shape[-2:]), weights
