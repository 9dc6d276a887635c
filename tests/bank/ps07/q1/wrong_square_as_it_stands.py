# points: 1
# message: Where W is square, your weight is not transposed


def as_convolution(W, b, k):
    d_in, d_out = W.shape
    weight = torch.zeros(d_out, d_in, k)
    weight[:, :, k // 2] = W if W.shape == (d_out, d_in) else W.T
    return weight, b
