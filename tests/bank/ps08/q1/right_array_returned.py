def decoder_mask(ids, n_queries):
    ids = np.asarray(ids)
    n = ids.shape[1]
    return np.tri(n, dtype=bool)[None, None, n - n_queries :] & (ids != PAD_ID)[:, None, None, :]
