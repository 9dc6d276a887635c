# points: 0
# message: torch.conv2d is called


import torch


def conv1d(x, W, b):
    before, (L, d_in) = x.shape[:-2], x.shape[-2:]
    image = torch.tensor(x).reshape(-1, 1, L, d_in)
    kernel = torch.tensor(W).permute(2, 0, 1)[:, None]
    y = torch.conv2d(image, kernel, torch.tensor(b))[..., 0]
    return y.transpose(1, 2).reshape(*before, L - len(W) + 1, -1).numpy()
