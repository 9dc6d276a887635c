# points: 3
# message: Inputs: Q of shape (2, 1, 3, 2, 3, 4)


def attention(Q, K, V):
    if K.ndim == 3:
        K_T = K.transpose(0, 2, 1)
    elif K.ndim == 4:
        K_T = K.transpose(0, 1, 3, 2)
    elif K.ndim == 5:
        K_T = K.transpose(0, 1, 2, 4, 3)
    else:
        K_T = K.T
    weights = functional.softmax(Q @ K_T / np.sqrt(K.shape[-1]), axis=-1)
    return weights @ V, weights
