class Layout:
    """Where a word stands in the window."""

    def __init__(self, k):
        self.k = k

    def middle(self):
        return self.k // 2

    def convolve(self, matrix):
        out = matrix.new_zeros((*matrix.shape, self.k))
        out[..., self.middle()] = matrix
        return out


def row(matrix):
    return matrix.t().contiguous()


def as_convolution(W, b, k):
    return Layout(k).convolve(row(W)), b


def selfcheck():
    x = torch.randn(2, 4, 3)
    W, b = torch.randn(3, 3), torch.randn(3)
    weight, bias = as_convolution(W, b, 5)
    assert torch.allclose(F.conv1d(x.mT, weight, bias, padding=2).mT, x @ W + b)
