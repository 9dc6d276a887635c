# points: 2
# message: changes its inputs in place


def make_batch(pairs):
    def stacked(rows):
        longest = max(map(len, rows))
        return torch.tensor([row + [PAD_ID] * (longest - len(row)) for row in rows])

    target_in = stacked([[BOS_ID] + t for _, t in pairs])
    for s, t in pairs:
        s.append(EOS_ID)
        t.append(EOS_ID)
    source = stacked([s for s, _ in pairs])
    return {
        "source": source,
        "source_mask": (source != PAD_ID).unsqueeze(1),
        "target_in": target_in,
        "target_out": stacked([t for _, t in pairs]),
    }
