import torch


def self_attention(X, W, d_k):
    Q, K, V = torch.tensor(X @ W).split([d_k, d_k, W.shape[1] - 2 * d_k], dim=-1)
    A = torch.softmax(Q @ K.mT / d_k**0.5, dim=-1)
    return A @ V, A
