# points: 1
# message: KeyError


def make_batch(pairs):
    longest = 1 + max(len(s) for s, _ in pairs)
    source = torch.tensor([s + [EOS_ID] + [PAD_ID] * (longest - len(s) - 1) for s, _ in pairs])
    return {"source": source, "source_mask": (source != PAD_ID).unsqueeze(1)}
