class Rows:
    """A helper of the student's own, with a method called like the library's."""

    def __init__(self, rows):
        self.rows = rows

    def pad(self):
        width = max(len(row) for row in self.rows)
        filled = torch.zeros(len(self.rows), width, dtype=torch.long)
        for i, row in enumerate(self.rows):
            for j, token in enumerate(row):
                filled[i, j] = token
        return filled


def make_batch(pairs):
    rows = {"source": [], "target_in": [], "target_out": []}
    for source, target in pairs:
        rows["source"].append(list(source) + [EOS_ID])
        rows["target_in"].append([BOS_ID] + list(target))
        rows["target_out"].append(list(target) + [EOS_ID])
    batch = {name: Rows(entries).pad() for name, entries in rows.items()}
    lengths = torch.tensor([len(row) for row in rows["source"]])
    batch["source_mask"] = (torch.arange(batch["source"].shape[1]) < lengths[:, None])[:, None, :]
    return batch
