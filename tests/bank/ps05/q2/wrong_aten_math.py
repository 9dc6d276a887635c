# points: 0
# message: scaled_dot_product_attention_math


def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (x.unflatten(-1, (n_heads, -1)).movedim(-2, -3) for x in (X_q @ W_Q, X_kv @ W_K, X_kv @ W_V))
    found, weights = torch.ops.aten._scaled_dot_product_attention_math(Q, K, V)
    return found.movedim(-3, -2).flatten(-2) @ W_O, weights
