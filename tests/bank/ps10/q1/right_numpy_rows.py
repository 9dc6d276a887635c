import numpy as np


def make_batch(pairs):
    def pad(rows):
        lengths = np.array([len(row) for row in rows])
        real = np.arange(lengths.max()) < lengths[:, np.newaxis]
        ids = np.zeros(real.shape, dtype=np.int64)
        ids[real] = np.concatenate(rows).astype(np.int64)
        return torch.from_numpy(ids), torch.from_numpy(real)

    source, real = pad([np.append(s, EOS_ID) for s, _ in pairs])
    target_in, _ = pad([np.insert(t, 0, BOS_ID) for _, t in pairs])
    target_out, _ = pad([np.append(t, EOS_ID) for _, t in pairs])
    return dict(source=source, source_mask=real[:, None], target_in=target_in, target_out=target_out)
