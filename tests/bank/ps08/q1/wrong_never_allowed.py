# points: 0
# message: lets nobody look at any real token


def decoder_mask(ids, n_queries):
    mask = torch.zeros(len(ids), 1, n_queries, ids.shape[1], dtype=torch.bool)
    for b, row in enumerate(ids):
        for k in range(len(row)):
            if row[k] == EOS_ID and row[k] == PAD_ID:
                mask[b, 0, :, k] = True
    return mask
