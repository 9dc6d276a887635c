# points: 0
# message: behind the padding


def make_batch(pairs):
    def pad_all(lists):
        n = max(len(l) for l in lists)
        return torch.tensor([l + [PAD_ID] * (n - len(l)) for l in lists])

    source = pad_all([s for s, t in pairs])
    source = torch.cat([source, torch.full((len(pairs), 1), EOS_ID)], 1)
    tin = pad_all([[BOS_ID] + list(t) for s, t in pairs])
    tout = pad_all([t for s, t in pairs])
    tout = torch.cat([tout, torch.full((len(pairs), 1), EOS_ID)], 1)
    return {
        "source": source,
        "source_mask": (source != PAD_ID)[:, None, :],
        "target_in": tin,
        "target_out": tout,
    }
