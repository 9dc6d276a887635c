# points: 2
# message: You take `tied` the wrong way round


def count_parameters(n_vocab, d, d_ff, n_heads, n_groups, n_encoder, n_decoder, max_length, tied):
    d_head = d // n_heads
    one_attention = d * d + 2 * d * n_groups * d_head + d * d
    one_network = d * d_ff + d_ff + d_ff * d + d
    matrices = 3 if tied else 1
    return {
        "attention": one_attention * (n_encoder + 2 * n_decoder),
        "feed-forward": one_network * (n_encoder + n_decoder),
        "norms": d * (2 * n_encoder + 3 * n_decoder + 2),
        "embeddings": matrices * n_vocab * d + 2 * max_length * d,
    }
