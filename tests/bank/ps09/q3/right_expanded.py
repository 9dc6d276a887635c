def candidate_logits(parts, source, candidates):
    b, n, length = candidates.shape
    real = padding_mask(source)
    x = parts.source_embedding(source)
    for block in parts.encoder:
        x, _ = block(x, real)
    x = parts.encoder_norm(x)[:, None].expand(-1, n, -1, -1).flatten(0, 1)
    real = real[:, None].expand(-1, n, -1, -1).flatten(0, 1)
    y = parts.target_embedding(candidates.flatten(0, 1))
    for block in parts.decoder:
        y, *_ = block(y, x, causal_mask(length), real)
    return torch.unflatten(parts.output(parts.decoder_norm(y)), 0, (b, n))
