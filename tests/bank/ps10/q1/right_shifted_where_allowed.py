import copy


def make_batch(pairs):
    pairs = copy.deepcopy(pairs)
    n_s = max(len(s) for s, t in pairs) + 1
    n_t = max(len(t) for s, t in pairs) + 1
    for s, t in pairs:
        s.append(EOS_ID)
        while len(s) < n_s:
            s.append(PAD_ID)
        t.append(EOS_ID)
        while len(t) < n_t:
            t.append(PAD_ID)
    source = torch.tensor([s for s, t in pairs])
    target_out = torch.tensor([t for s, t in pairs])
    target_in = target_out.roll(1, dims=1)
    target_in[:, 0] = BOS_ID
    target_in[target_in == EOS_ID] = PAD_ID
    return {
        "source": source,
        "source_mask": (source != PAD_ID)[:, None],
        "target_in": target_in,
        "target_out": target_out,
    }
