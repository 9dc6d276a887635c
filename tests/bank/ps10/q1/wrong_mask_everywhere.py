# points: 2
# message: True everywhere


def make_batch(pairs):
    def padded(rows):
        longest = max(map(len, rows))
        return torch.tensor([row + [PAD_ID] * (longest - len(row)) for row in rows])

    source = padded([[*s, EOS_ID] for s, _ in pairs])
    return {
        "source": source,
        "source_mask": torch.ones(len(source), 1, source.shape[1], dtype=torch.bool),
        "target_in": padded([[BOS_ID, *t] for _, t in pairs]),
        "target_out": padded([[*t, EOS_ID] for _, t in pairs]),
    }
