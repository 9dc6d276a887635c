def cross_attention(X_q, X_kv, W_Q, W_K, W_V, W_O, n_heads):
    W_Q, W_K, W_V = (W.unflatten(1, (n_heads, -1)) for W in (W_Q, W_K, W_V))
    Q = torch.einsum("...qd,dhk->...hqk", X_q, W_Q) / W_Q.shape[-1] ** 0.5
    K = torch.einsum("...ld,dhk->...hlk", X_kv, W_K)
    V = torch.einsum("...ld,dhv->...hlv", X_kv, W_V)
    weights = torch.einsum("...hqk,...hlk->...hql", Q, K).softmax(-1)
    W_O = W_O.unflatten(0, (n_heads, -1))
    return torch.einsum("...hql,...hlv,hvo->...qo", weights, V, W_O), weights
