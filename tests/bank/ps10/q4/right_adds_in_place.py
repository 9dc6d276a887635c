def beam_search(next_log_p, width, max_length, alpha):
    """Return the ids and the score of the best finished translation."""
    beginnings, log_p, finished = [[BOS_ID]], torch.zeros(1, dtype=torch.float64), []
    for n in range(1, max_length + 1):
        totals = next_log_p(beginnings)
        totals += log_p.unsqueeze(1)
        n_vocab = totals.shape[1]
        values, places = totals.flatten().topk(min(width, totals.numel()))
        grown = [[*beginnings[i // n_vocab], i % n_vocab] for i in places.tolist()]
        ends = [ids[-1] == EOS_ID or n == max_length for ids in grown]
        finished += [
            (v / ((5 + n) / 6) ** alpha, ids) for ids, v, e in zip(grown, values.tolist(), ends) if e
        ]
        beginnings = [ids for ids, e in zip(grown, ends) if not e]
        log_p = values[~torch.tensor(ends)]
        if not beginnings:
            break
    score, ids = max(finished)
    return [i for i in ids if i not in (BOS_ID, EOS_ID)], score
