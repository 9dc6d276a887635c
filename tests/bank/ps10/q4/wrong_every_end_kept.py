# points: 4
# message: set aside every candidate that ends


def beam_search(next_log_p, width, max_length, alpha):
    living, finished = [([BOS_ID], 0.0)], []
    for _ in range(max_length):
        if not living:
            break
        candidates = []
        for (ids, log_p), row in zip(living, next_log_p([ids for ids, _ in living])):
            candidates += [([*ids, token], log_p + x) for token, x in enumerate(row.tolist())]
        candidates.sort(key=lambda c: -c[1])
        finished += [c for c in candidates if c[0][-1] == EOS_ID]
        living = [c for c in candidates[:width] if c[0][-1] != EOS_ID]

    def score(c):
        return c[1] / ((4 + len(c[0])) / 6) ** alpha

    best = max(finished + living, key=score)
    return [t for t in best[0] if t not in (BOS_ID, EOS_ID)], score(best)
