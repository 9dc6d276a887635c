# points: 4.5
# message: selected index k out of range


def beam_search(next_log_p, width, max_length, alpha):
    living, finished = [([BOS_ID], 0.0)], []
    for _ in range(max_length):
        rows = next_log_p([ids for ids, _ in living])
        rows.flatten().topk(width)
        rows = rows.tolist()
        candidates = [
            ([*ids, token], log_p + more)
            for (ids, log_p), row in zip(living, rows)
            for token, more in enumerate(row)
        ]
        candidates.sort(key=lambda c: -c[1])
        best = candidates[:width]
        finished += [c for c in best if c[0][-1] == EOS_ID]
        living = [c for c in best if c[0][-1] != EOS_ID]
        if not living:
            break

    def score(c):
        ids, log_p = c
        return log_p / ((5 + len(ids) - 1) / 6) ** alpha

    best = max(finished + living, key=score)
    return [i for i in best[0] if i not in (BOS_ID, EOS_ID)], score(best)
