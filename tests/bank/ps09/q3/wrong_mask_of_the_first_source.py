# points: 3
# message: first source's padding mask


def encode(parts, source, mask):
    x = parts.source_embedding(source)
    for layer in parts.encoder:
        x = layer(x, mask=mask)[0]
    return parts.encoder_norm(x)


def decode(parts, targets, memory, memory_mask):
    y = parts.target_embedding(targets)
    for layer in parts.decoder:
        y = layer(y, memory=memory, mask=causal_mask(targets.size(-1)), memory_mask=memory_mask)[0]
    return parts.output(parts.decoder_norm(y))


def candidate_logits(parts, source, candidates):
    B, N, L_t = candidates.shape
    mask = (source[:1] != 0)[:, None, :]
    memory = encode(parts, source, mask)
    logits = None
    for c in range(N):
        found = decode(parts, candidates[:, c, :], memory, mask)
        if logits is None:
            logits = torch.zeros(B, N, L_t, found.shape[-1])
        logits[:, c] = found
    return logits
