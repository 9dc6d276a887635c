import torch


def additive_scores(Q, K, W_q, W_k, v):
    Q, K, W_q, W_k, v = map(torch.from_numpy, (Q, K, W_q, W_k, v))
    return torch.tanh((Q @ W_q).unsqueeze(-2) + (K @ W_k).unsqueeze(-3)) @ v
