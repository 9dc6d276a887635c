def candidate_logits(parts, source, candidates):
    b, n, length = candidates.shape
    which = torch.arange(b * n) // n
    memory, real = parts.source_embedding(source), padding_mask(source)
    for block in parts.encoder:
        memory = block(memory, real)[0]
    memory = parts.encoder_norm(memory)[which]
    flat = candidates.reshape(b * n, length)
    mask = causal_mask(length) & padding_mask(flat)
    y = parts.target_embedding(flat)
    for block in parts.decoder:
        y = block(y, memory, mask, real[which])[0]
    return parts.output(parts.decoder_norm(y)).reshape(b, n, length, -1)
