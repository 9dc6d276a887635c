# points: 1
# message: You return the scores


def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = ((x @ W).chunk(n_heads, -1) for x, W in ((X_q, W_Q), (X_kv, W_K), (X_kv, W_V)))
    scores = torch.stack([q @ k.mT / q.shape[-1] ** 0.5 for q, k in zip(Q, K, strict=True)], -3)
    heads = scores.softmax(-1) @ torch.stack(V, -3)
    return torch.cat(heads.unbind(-3), -1) @ W_O, scores
