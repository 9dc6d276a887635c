# points: 2
# message: All places of your kernel hold W / k


def as_convolution(W, b, k):
    return W.T[:, :, None].repeat(1, 1, k) / k, b
