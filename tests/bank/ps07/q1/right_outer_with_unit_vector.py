as_convolution = lambda W, b, k: (W.T[:, :, None] * F.one_hot(torch.tensor(k // 2), k).float(), b * 1)
