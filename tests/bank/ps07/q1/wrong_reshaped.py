# points: 0
# message: You reshape W


def as_convolution(W, b, k):
    weight = torch.zeros(W.shape[1], W.shape[0], k, dtype=W.dtype)
    weight[:, :, k // 2] = W.reshape(W.shape[1], W.shape[0])
    return weight, b
