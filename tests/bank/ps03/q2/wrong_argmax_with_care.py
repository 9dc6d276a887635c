# points: 3
# message: you give everything to one of them


def limit_weights(scores):
    weights = np.eye(scores.shape[-1])[scores.argmax(axis=-1)]
    weights[scores.max(axis=-1) == -np.inf] = 0
    return weights
