def candidate_logits(parts, source, candidates):
    together = []
    for ids, several in zip(source, candidates, strict=True):
        real = padding_mask(ids[None])
        x = parts.source_embedding(ids[None])
        for block in parts.encoder:
            x, _ = block(x, mask=real)
        x = parts.encoder_norm(x)
        n = len(several)
        y = parts.target_embedding(several)
        for block in parts.decoder:
            y, _, _ = block(
                y, x.expand(n, -1, -1), mask=causal_mask(several.shape[1]), memory_mask=real.expand(n, -1, -1)
            )
        together.append(parts.output(parts.decoder_norm(y)))
    return torch.stack(together)
