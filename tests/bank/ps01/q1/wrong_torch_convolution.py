# points: 0
# message: torch.convolution is called


import torch


def conv1d(x, W, b):
    flat = torch.tensor(x).reshape(-1, *x.shape[-2:]).mT
    y = torch.convolution(
        flat, torch.tensor(W).permute(2, 1, 0), torch.tensor(b), [1], [0], [1], False, [0], 1
    )
    return y.mT.reshape(*x.shape[:-2], -1, W.shape[2]).numpy()
