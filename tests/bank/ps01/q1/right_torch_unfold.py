import torch


def conv1d(x, W, b):
    windows = torch.tensor(x).unfold(-2, len(W), 1)  # (…, L − k + 1, d_in, k)
    return torch.einsum("...ick,kco->...io", windows, torch.tensor(W)) + torch.tensor(b)
