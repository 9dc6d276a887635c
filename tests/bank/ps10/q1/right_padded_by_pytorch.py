import torch.nn.functional as F


def pad(rows):
    n = max(map(len, rows))
    return torch.stack([F.pad(torch.LongTensor(row), (0, n - len(row)), value=PAD_ID) for row in rows])


def make_batch(pairs):
    src, read, predict = [], [], []
    for s, t in pairs:
        src.append((*s, EOS_ID))
        read.append((BOS_ID, *t))
        predict.append((*t, EOS_ID))
    src = pad(src)
    mask = torch.zeros(src.shape[0], 1, src.shape[1], dtype=bool)
    mask[src.unsqueeze(1) > 0] = True
    return {"source": src, "source_mask": mask, "target_in": pad(read), "target_out": pad(predict)}
