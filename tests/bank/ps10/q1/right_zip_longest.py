from itertools import zip_longest


def make_batch(pairs):
    sources, targets = zip(*pairs)

    def stacked(rows):
        return torch.tensor(list(zip_longest(*rows, fillvalue=PAD_ID))).T

    batch = {
        "source": stacked([s + [EOS_ID] for s in sources]),
        "target_in": stacked([[BOS_ID] + t for t in targets]),
        "target_out": stacked([t + [EOS_ID] for t in targets]),
    }
    batch["source_mask"] = torch.logical_not(batch["source"] == PAD_ID).view(len(pairs), 1, -1)
    return batch
