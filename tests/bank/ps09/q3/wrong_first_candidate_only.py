# points: 3
# message: logits for the first candidate of each source alone


def candidate_logits(parts, source, candidates):
    mask = padding_mask(source)
    x = parts.source_embedding(source)
    for block in parts.encoder:
        x = block(x, mask)[0]
    memory = parts.encoder_norm(x)
    y = parts.target_embedding(candidates[:, 0])
    for block in parts.decoder:
        y = block(y, memory, causal_mask(y.shape[1]), mask)[0]
    return parts.output(parts.decoder_norm(y)).unsqueeze(1)
