def beam_search(next_log_p, width, max_length, alpha):
    prefixes, totals, done = [[BOS_ID]], torch.zeros(1, dtype=torch.float64), []

    def finish(ids, total, length):
        done.append((float(total) / ((5 + length) / 6) ** alpha, ids[1:]))

    for length in range(1, max_length + 1):
        log_p = next_log_p(prefixes).double()
        n_vocab = log_p.shape[1]
        flat = (totals[:, None] + log_p).flatten()
        best = flat.topk(min(width, len(flat)))
        kept, kept_totals = [], []
        for total, index in zip(best.values, best.indices.tolist()):
            ids, token = prefixes[index // n_vocab], index % n_vocab
            if token == EOS_ID:
                finish(ids, total, length)
            else:
                kept.append(ids + [token])
                kept_totals.append(total)
        if not kept:
            break
        prefixes, totals = kept, torch.stack(kept_totals)
    else:
        for ids, total in zip(prefixes, totals):
            finish(ids, total, max_length)
    score, ids = max(done)
    return ids, score
