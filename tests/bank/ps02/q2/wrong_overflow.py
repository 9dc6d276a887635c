# points: 3
# message: Some of your exponentials overflow


def attention(Q, K, V):
    powers = np.exp(Q @ K.mT / np.sqrt(Q.shape[-1]))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights
