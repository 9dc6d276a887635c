def as_convolution(W, b, k):
    place = (torch.arange(k) == k // 2).to(W.dtype)
    return torch.einsum("co,p->ocp", W, place), b
