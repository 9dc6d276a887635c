def candidate_logits(parts, source, candidates):
    """Read each source without its padding, so that no padding mask is needed."""
    results = []
    for words, ours in zip(source, candidates, strict=True):
        words = words[words != 0].unsqueeze(0)
        x = parts.source_embedding(words)
        for block in parts.encoder:
            x, weights = block(x, None)
        memory = parts.encoder_norm(x)
        lists = []
        for candidate in ours:
            y = parts.target_embedding(candidate[None])
            for block in parts.decoder:
                y = block(y, memory, mask=torch.ones(len(candidate), len(candidate)).tril().bool())[0]
            lists.append(parts.output(parts.decoder_norm(y))[0])
        results.append(torch.stack(lists))
    return torch.stack(results)
