# points: 3
# message: A large sharpness is not the limit


def limit_weights(scores):
    gap = np.nan_to_num(scores - scores.max(axis=-1, keepdims=True), nan=-np.inf, neginf=-np.inf)
    e = np.exp(1e300 * gap)
    return e / np.maximum(e.sum(axis=-1, keepdims=True), 1)
