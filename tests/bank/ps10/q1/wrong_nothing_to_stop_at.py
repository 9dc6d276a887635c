# points: 1
# message: target_out does not end in </s>


def make_batch(pairs):
    def stacked(rows):
        longest = max(map(len, rows))
        return torch.tensor([row + [PAD_ID] * (longest - len(row)) for row in rows], dtype=torch.long)

    source = stacked([s + [EOS_ID] for s, _ in pairs])
    return {
        "source": source,
        "source_mask": (source != PAD_ID).unsqueeze(1),
        "target_in": stacked([[BOS_ID] + t for _, t in pairs]),
        "target_out": stacked([t for _, t in pairs]),
    }
