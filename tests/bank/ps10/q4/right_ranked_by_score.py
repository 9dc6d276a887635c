def beam_search(next_log_p, width, max_length, alpha):
    living, finished = [([BOS_ID], 0.0)], []
    for _ in range(max_length):
        log_p = next_log_p([ids for ids, _ in living])
        candidates = []
        for (ids, lp), row in zip(living, log_p):
            for token, x in enumerate(row.tolist()):
                candidates.append(([*ids, token], lp + x))
        candidates.sort(key=lambda c: c[1] / ((5 + len(c[0]) - 1) / 6) ** alpha, reverse=True)
        living = []
        for c in candidates[:width]:
            if c[0][-1] == EOS_ID:
                finished.append(c)
            else:
                living.append(c)
        if not living:
            break
    finished += living

    def score(c):
        return c[1] / ((5 + len(c[0]) - 1) / 6) ** alpha

    best = max(finished, key=score)
    return [t for t in best[0] if t not in (BOS_ID, EOS_ID)], score(best)
