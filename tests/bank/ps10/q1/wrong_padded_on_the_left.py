# points: 0
# message: You pad on the left


def make_batch(pairs):
    def stacked(rows):
        longest = max(map(len, rows))
        return torch.tensor([[PAD_ID] * (longest - len(row)) + row for row in rows])

    source = stacked([s + [EOS_ID] for s, _ in pairs])
    return {
        "source": source,
        "source_mask": (source != PAD_ID).unsqueeze(1),
        "target_in": stacked([[BOS_ID] + t for _, t in pairs]),
        "target_out": stacked([t + [EOS_ID] for _, t in pairs]),
    }
