# points: 0
# message: Conv1d is called


import torch


def conv1d(x, W, b):
    layer = torch.nn.Conv1d(W.shape[1], W.shape[2], len(W), dtype=torch.float64)
    with torch.no_grad():
        layer.weight[:] = torch.tensor(W).permute(2, 1, 0)
        layer.bias[:] = torch.tensor(b)
        y = layer(torch.tensor(x).reshape(-1, *x.shape[-2:]).mT).mT
    return y.reshape(*x.shape[:-2], -1, W.shape[2]).numpy()
