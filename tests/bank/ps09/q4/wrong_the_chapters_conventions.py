# points: 0
# message: a norm has a gain and no offset


def count_parameters(n_vocab, d, d_ff, n_heads, n_groups, n_encoder, n_decoder, max_length, tied):
    return {
        "attention": (4 * d * d + 4 * d) * (n_encoder + 2 * n_decoder),
        "feed-forward": (2 * d * d_ff + d_ff + d) * (n_encoder + n_decoder),
        "norms": 2 * d * (2 * n_encoder + 3 * n_decoder + 2),
        "embeddings": (1 if tied else 3) * n_vocab * d,
    }
