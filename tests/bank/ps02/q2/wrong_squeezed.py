# points: 1
# message: your result has shape (2,); expected is (1, 2)


def attention(Q, K, V):
    weights = functional.softmax(Q @ K.mT / np.sqrt(K.shape[-1]), axis=-1)
    return (weights @ V).squeeze(), weights.squeeze()
