# points: 1
# message: target_in and target_out are the same


def make_batch(pairs):
    def stacked(rows):
        longest = max(map(len, rows))
        return torch.tensor([row + [PAD_ID] * (longest - len(row)) for row in rows])

    source, target = (stacked([pair[side] + [EOS_ID] for pair in pairs]) for side in (0, 1))
    return {
        "source": source,
        "source_mask": (source != PAD_ID).unsqueeze(1),
        "target_in": target,
        "target_out": target,
    }
