def candidate_logits(parts, source, candidates):
    real = (source != 0)[:, None, None]  # (B, 1, 1, L), as in chapter 09
    memory = parts.source_embedding(source)
    for block in parts.encoder:
        memory, _ = block(memory, real)
    memory = parts.encoder_norm(memory)
    past = causal_mask(candidates.shape[2])[None, None]
    found = []
    for of_each in candidates.unbind(1):
        y = parts.target_embedding(of_each)
        for block in parts.decoder:
            y, _, _ = block(y, memory, past, real)
        found.append(parts.output(parts.decoder_norm(y)))
    return torch.stack(found, dim=1)
