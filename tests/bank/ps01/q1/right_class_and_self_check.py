class Convolution:
    def __init__(self, W, b):
        self.W, self.b = W, b

    def conv1d(self, x):
        n = x.shape[-2] - len(self.W) + 1
        return self.b + sum(x[..., j : j + n, :] @ w for j, w in enumerate(self.W))


def conv1d(x, W, b):
    return Convolution(W, b).conv1d(x)


def check_myself():
    assert np.allclose(np.convolve([1, 2, 4], [10, 1], mode="valid"), [12, 24])
