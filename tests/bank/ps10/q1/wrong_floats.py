# points: 2
# message: torch.int64


def make_batch(pairs):
    def stacked(rows):
        ids = torch.zeros(len(rows), max(map(len, rows)))
        for i, row in enumerate(rows):
            ids[i, : len(row)] = torch.tensor(row)
        return ids

    source = stacked([s + [EOS_ID] for s, _ in pairs])
    return {
        "source": source,
        "source_mask": (source != PAD_ID).unsqueeze(1),
        "target_in": stacked([[BOS_ID] + t for _, t in pairs]),
        "target_out": stacked([t + [EOS_ID] for _, t in pairs]),
    }
