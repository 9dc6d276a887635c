def as_convolution(W, b, k):
    side = (k - 1) // 2
    return F.pad(W.mT.unsqueeze(-1), (side, side)), b.clone()
