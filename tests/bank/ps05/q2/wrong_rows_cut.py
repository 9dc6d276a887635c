# points: 0
# message: Your heads hold parts of different words


def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    def split(x):
        return x.reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)

    Q, K, V = split(X_q @ W_Q), split(X_kv @ W_K), split(X_kv @ W_V)
    weights = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1)
    heads = weights @ V
    return heads.transpose(-2, -3).reshape(*heads.shape[:-3], heads.shape[-2], -1) @ W_O, weights
