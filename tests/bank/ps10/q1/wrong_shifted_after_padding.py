# points: 1
# message: You shift after padding


def make_batch(pairs):
    def stacked(rows):
        longest = max(map(len, rows))
        return torch.tensor([row + [PAD_ID] * (longest - len(row)) for row in rows])

    source = stacked([s + [EOS_ID] for s, _ in pairs])
    target = stacked([[BOS_ID] + t + [EOS_ID] for _, t in pairs])
    return {
        "source": source,
        "source_mask": (source != PAD_ID).unsqueeze(1),
        "target_in": target[:, :-1],
        "target_out": target[:, 1:],
    }
