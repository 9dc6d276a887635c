def candidate_logits(parts, source, candidates):
    n, n_candidates, length = candidates.shape
    real = (source != 0)[:, None, None]
    memory = parts.source_embedding(source)
    for block in parts.encoder:
        memory, _ = block(memory, real)
    memory = parts.encoder_norm(memory).repeat_interleave(n_candidates, dim=0)
    ids = candidates.reshape(n * n_candidates, length)
    y, mask = parts.target_embedding(ids), causal_mask(length) & (ids != 0)[:, None, None]
    for block in parts.decoder:
        y, _, _ = block(y, memory, mask, real.repeat_interleave(n_candidates, dim=0))
    return parts.output(parts.decoder_norm(y)).reshape(n, n_candidates, length, -1)
