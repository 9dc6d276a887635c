# points: 0
# message: is called in


from torch.nn.attention.bias import causal_lower_right
import torch.nn.functional as F


def cached_attention(x, keys, values, W_Q, W_K, W_V):
    K, V = torch.cat([keys, x @ W_K], dim=1), torch.cat([values, x @ W_V], dim=1)
    bias = causal_lower_right(x.shape[1], K.shape[1])
    out = F.scaled_dot_product_attention((x @ W_Q)[:, None], K[:, None], V[:, None], attn_mask=bias)
    return out[:, 0], K, V
