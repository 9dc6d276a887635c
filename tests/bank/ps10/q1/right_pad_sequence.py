from torch.nn.utils.rnn import pad_sequence


def make_batch(pairs):
    def stacked(rows):
        return pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=PAD_ID)

    source = stacked([list(s) + [EOS_ID] for s, _ in pairs])
    return {
        "source": source,
        "source_mask": source.ne(PAD_ID)[:, None, :],
        "target_in": stacked([[BOS_ID] + list(t) for _, t in pairs]),
        "target_out": stacked([list(t) + [EOS_ID] for _, t in pairs]),
    }
