# points: 2
# message: the largest error is


def as_convolution(W, b, k):
    # nn.Conv1d starts from random numbers, and only the middle is set
    convolution = nn.Conv1d(*W.shape, k)
    with torch.no_grad():
        convolution.weight[:, :, k // 2] = W.T
        convolution.bias.copy_(b)
    return convolution.weight, convolution.bias
