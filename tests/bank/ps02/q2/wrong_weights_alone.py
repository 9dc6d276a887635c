# points: 0
# message: You return the weights alone


def attention(Q, K, V):
    return functional.softmax(Q @ K.mT / np.sqrt(K.shape[-1]), axis=-1)
