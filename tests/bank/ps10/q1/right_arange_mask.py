def make_batch(pairs):
    lengths = torch.tensor([len(s) + 1 for s, _ in pairs])
    source = torch.zeros(len(pairs), int(lengths.max()), dtype=torch.long)
    longest = max(len(t) for _, t in pairs) + 1
    target_in = torch.zeros(len(pairs), longest, dtype=torch.long)
    target_out = torch.zeros(len(pairs), longest, dtype=torch.long)
    for row, (s, t) in enumerate(pairs):
        source[row, : len(s)] = torch.tensor(s)
        source[row, len(s)] = EOS_ID
        target_in[row, 0] = BOS_ID
        for i, token in enumerate(t):
            target_in[row, i + 1] = token
            target_out[row, i] = token
        target_out[row, len(t)] = EOS_ID
    mask = torch.arange(source.shape[1]) < lengths[:, None]
    return {
        "source": source,
        "source_mask": mask.reshape(len(pairs), 1, -1),
        "target_in": target_in,
        "target_out": target_out,
    }
