# points: 1
# message: All your heads have the weights of head 0


def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    def split(x):
        return x.unflatten(-1, (n_heads, -1)).transpose(-2, -3)

    Q, K, V = split(X_q @ W_Q), split(X_kv @ W_K), split(X_kv @ W_V)
    weights = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1)
    weights = weights[..., :1, :, :].expand(weights.shape)
    return (weights @ V).transpose(-2, -3).flatten(-2) @ W_O, weights
