def is_invariant(attention):
    generator = torch.Generator().manual_seed(3)
    for _ in range(600):
        L_q, L_k, d_k, d_v = torch.randint(2, 9, (4,), generator=generator).tolist()
        Q = torch.randn(L_q, d_k, generator=generator).numpy()
        K = torch.randn(L_k, d_k, generator=generator).numpy()
        V = torch.randn(L_k, d_v, generator=generator).numpy()
        place = int(torch.randint(L_k - 1, (1,), generator=generator))
        order = list(range(L_k))
        order[place], order[place + 1] = order[place + 1], order[place]
        if np.abs(attention(Q, K, V) - attention(Q, K[order], V[order])).max() > 2e-4:
            return False
    return True
