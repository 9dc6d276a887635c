class Both:
    def __init__(self, forward, backward):
        self.readers = forward, backward

    def flip(self, rows):
        return np.flipud(rows)

    def __call__(self, x):
        forward, backward = self.readers
        return np.block([forward(x), self.flip(backward(self.flip(x)))]).astype(np.float32)


def bidirectional(x, forward, backward):
    return Both(forward, backward)(x)
