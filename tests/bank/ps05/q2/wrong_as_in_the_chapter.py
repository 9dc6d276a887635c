# points: 0
# message: stops with RuntimeError


def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    def split(x):
        return x.unflatten(-1, (n_heads, -1)).transpose(1, 2)

    Q, K, V = split(X_q @ W_Q), split(X_kv @ W_K), split(X_kv @ W_V)
    weights = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1)
    return (weights @ V).transpose(1, 2).flatten(2) @ W_O, weights
