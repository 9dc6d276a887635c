# points: 0
# message: the largest error is


def candidate_logits(parts, source, candidates):
    B, N, L_t = candidates.shape
    real = padding_mask(source)
    x = parts.source_embedding(source)
    for block in parts.encoder:
        x, _ = block(x, real)
    memory = parts.encoder_norm(x)
    memory = memory.repeat_interleave(N, dim=0)
    real = real.repeat_interleave(N, dim=0)
    y = parts.source_embedding(candidates.flatten(0, 1))
    past = causal_mask(L_t)
    for block in parts.decoder:
        y, _, _ = block(y, memory, past, real)
    return parts.output(parts.decoder_norm(y)).unflatten(0, (B, N))
