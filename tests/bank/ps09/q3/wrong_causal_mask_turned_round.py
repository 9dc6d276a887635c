# points: 0
# message: the largest error is


def candidate_logits(parts, source, candidates):
    mask = padding_mask(source)
    x = parts.source_embedding(source)
    for block in parts.encoder:
        x = block(x, mask)[0]
    memory = parts.encoder_norm(x)
    results = []
    for c in range(candidates.shape[1]):
        y = parts.target_embedding(candidates[:, c])
        for block in parts.decoder:
            y = block(y, memory, causal_mask(y.shape[1]).T, mask)[0]
        results.append(parts.output(parts.decoder_norm(y)))
    return torch.stack(results, dim=1)
