def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = ((x.float() @ W.float()).chunk(n_heads, -1) for x, W in ((X_q, W_Q), (X_kv, W_K), (X_kv, W_V)))
    Q, K, V = torch.stack(Q, -3), torch.stack(K, -3), torch.stack(V, -3)
    weights = (Q @ K.transpose(-1, -2)).div(K.shape[-1] ** 0.5).softmax(dim=-1)
    return torch.cat((weights @ V).unbind(-3), -1) @ W_O.float(), weights
