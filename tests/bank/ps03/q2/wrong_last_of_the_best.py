# points: 3
# message: you give everything to the last of them


def limit_weights(scores):
    last = scores.shape[-1] - 1 - np.argmax(scores[..., ::-1], axis=-1)
    return np.eye(scores.shape[-1])[last] * np.isfinite(scores).any(axis=-1, keepdims=True)
