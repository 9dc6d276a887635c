# points: 2
# message: of an empty list torch.tensor makes floats


def make_batch(pairs):
    def stacked(rows):
        rows = [torch.cat([torch.tensor(part) for part in row]) for row in rows]
        return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD_ID)

    source = stacked([[s, [EOS_ID]] for s, _ in pairs])
    return {
        "source": source,
        "source_mask": (source != PAD_ID).unsqueeze(1),
        "target_in": stacked([[[BOS_ID], t] for _, t in pairs]),
        "target_out": stacked([[t, [EOS_ID]] for _, t in pairs]),
    }
