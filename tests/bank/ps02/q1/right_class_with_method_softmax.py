class Scores:
    def __init__(self, x):
        self.x = x

    def softmax(self, axis):
        powers = np.exp(self.x - np.max(self.x, axis=axis, keepdims=True))
        return np.divide(powers, np.sum(powers, axis=axis, keepdims=True))


def softmax(x, axis):
    return Scores(x).softmax(axis)


def compare_with_the_library():
    x = np.random.default_rng(0).standard_normal((3, 4))
    assert np.allclose(softmax(x, 1), functional.softmax(x, axis=1))
