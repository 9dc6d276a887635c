# points: 2
# message: Not all entries of your batch are PyTorch tensors


def make_batch(pairs):
    def pad_all(lists):
        n = max(len(l) for l in lists)
        import numpy as np

        return np.array([l + [PAD_ID] * (n - len(l)) for l in lists])

    source = pad_all([list(s) + [EOS_ID] for s, t in pairs])
    tin = pad_all([[BOS_ID] + list(t) for s, t in pairs])
    tout = pad_all([list(t) + [EOS_ID] for s, t in pairs])
    return {
        "source": source,
        "source_mask": (source != PAD_ID)[:, None, :],
        "target_in": tin,
        "target_out": tout,
    }
