def softmax(x, axis):
    def one(scores):
        powers = np.exp(scores - np.max(scores))
        return powers / np.sum(powers)

    return np.apply_along_axis(one, axis, x)
