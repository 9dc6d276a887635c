def beam_search(next_log_p, width, max_length, alpha):
    def score_of(log_p, length):
        return log_p / ((5 + length) / 6) ** alpha

    living = [(0.0, [BOS_ID])]
    best = (-math.inf, None)
    for length in range(1, max_length + 1):
        log_ps = next_log_p([ids for _, ids in living])
        values, tokens = log_ps.topk(min(width, log_ps.shape[-1]), dim=-1)
        pool = [
            (old + value, ids, token)
            for (old, ids), vs, ts in zip(living, values.tolist(), tokens.tolist())
            for value, token in zip(vs, ts)
        ]
        pool = sorted(pool, key=lambda entry: -entry[0])[:width]
        living = []
        for log_p, ids, token in pool:
            if token != EOS_ID and length < max_length:
                living.append((log_p, ids + [token]))
                continue
            words = ids[1:] if token == EOS_ID else ids[1:] + [token]
            if best[1] is None or score_of(log_p, length) > best[0]:
                best = (score_of(log_p, length), words)
        if not living:
            break
        # ln p can only fall; the divisor is between those of the next and the last length
        hope = max(max(score_of(p, length + 1), score_of(p, max_length)) for p, _ in living)
        if best[1] is not None and best[0] > hope:
            break
    return best[1], best[0]
