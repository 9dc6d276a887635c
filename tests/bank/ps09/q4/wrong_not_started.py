# points: 0
# message: NotImplementedError


def count_parameters(n_vocab, d, d_ff, n_heads, n_groups, n_encoder, n_decoder, max_length, tied):
    raise NotImplementedError
