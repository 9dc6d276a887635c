# points: 0
# message: scaled_dot_product


import torch


def self_attention(X, W, d_k):
    Q, K, V = torch.tensor(X @ W).split([d_k, d_k, W.shape[1] - 2 * d_k], dim=-1)
    return torch.ops.aten._scaled_dot_product_attention_math(Q, K, V)[:2]
