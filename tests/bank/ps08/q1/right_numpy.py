def decoder_mask(ids, n_queries):
    real = ids.numpy() != PAD_ID
    L = real.shape[1]
    causal = np.tri(n_queries, L, k=L - n_queries, dtype=bool)
    return torch.from_numpy(causal[None, None] & real[:, None, None])
