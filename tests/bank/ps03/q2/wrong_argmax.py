# points: 2
# message: you give everything to one of them


def limit_weights(scores):
    weights = np.zeros(scores.shape)
    np.put_along_axis(weights, scores.argmax(axis=-1)[..., None], 1.0, axis=-1)
    return weights
