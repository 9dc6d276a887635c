# points: 0
# message: expected is (3, 1,


def candidate_logits(parts, source, candidates):
    b, n, length = candidates.shape
    real = padding_mask(source)
    x = parts.source_embedding(source)
    for block in parts.encoder:
        x, _ = block(x, real)
    memory = parts.encoder_norm(x).repeat_interleave(n, 0)
    real = real.repeat_interleave(n, 0)
    y = parts.target_embedding(candidates.view(b * n, length))
    for block in parts.decoder:
        y, _, _ = block(y, memory, causal_mask(length), real)
    return parts.output(parts.decoder_norm(y))
