# points: 3
# message: once for every candidate


def candidate_logits(parts, source, candidates):
    b, n, length = candidates.shape
    source = source.repeat_interleave(n, 0)
    real = padding_mask(source)
    x = parts.source_embedding(source)
    for block in parts.encoder:
        x, _ = block(x, real)
    memory = parts.encoder_norm(x)
    y = parts.target_embedding(candidates.view(b * n, length))
    for block in parts.decoder:
        y, _, _ = block(y, memory, causal_mask(length), real)
    return parts.output(parts.decoder_norm(y)).view(b, n, length, -1)
