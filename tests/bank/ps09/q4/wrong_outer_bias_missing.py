# points: 2
# message: the outer bias, of d numbers


def count_parameters(n_vocab, d, d_ff, n_heads, n_groups, n_encoder, n_decoder, max_length, tied):
    kv = d * n_groups * d // n_heads
    attention = (n_encoder + 2 * n_decoder) * (2 * d * d + 2 * kv)
    ff = (n_encoder + n_decoder) * (2 * d * d_ff + d_ff)
    norms = (2 * n_encoder + 3 * n_decoder + 2) * d
    emb = (1 if tied else 3) * n_vocab * d + 2 * max_length * d
    return {"attention": attention, "feed-forward": ff, "norms": norms, "embeddings": emb}
