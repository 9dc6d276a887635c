def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    d_k = W_Q.size(1) // n_heads
    output, maps = 0, []
    pieces = zip(
        W_Q.chunk(n_heads, 1),
        W_K.chunk(n_heads, 1),
        W_V.chunk(n_heads, 1),
        W_O.chunk(n_heads, 0),
        strict=True,
    )
    for W_q, W_k, W_v, W_o in pieces:
        e = torch.exp((X_q @ W_q) @ (X_kv @ W_k).mT / np.sqrt(d_k))
        maps.append(e / e.sum(-1, keepdim=True))
        output = output + maps[-1] @ (X_kv @ W_v) @ W_o
    return [output, torch.stack(maps, -3)]
