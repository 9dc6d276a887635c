# points: 0
# message: course_lib.model.attention.attention is called


import torch
from course_lib import model as layers


def self_attention(X, W, d_k):
    Q, K, V = torch.tensor(X @ W).split([d_k, d_k, W.shape[1] - 2 * d_k], dim=-1)
    return layers.attention(Q, K, V)
