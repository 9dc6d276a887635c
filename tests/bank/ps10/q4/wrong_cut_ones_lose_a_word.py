# points: 4
# message: Translations that are cut lose their last word


def beam_search(next_log_p, width, max_length, alpha):
    living, finished = [([BOS_ID], 0.0)], []
    for _ in range(max_length):
        rows = next_log_p([ids for ids, _ in living]).tolist()
        candidates = [
            ([*ids, token], log_p + more)
            for (ids, log_p), row in zip(living, rows)
            for token, more in enumerate(row)
        ]
        candidates.sort(key=lambda c: -c[1])
        finished += [c for c in candidates[:width] if c[0][-1] == EOS_ID]
        living = [c for c in candidates[:width] if c[0][-1] != EOS_ID]
        if not living:
            break

    def score(c):
        return c[1] / ((4 + len(c[0])) / 6) ** alpha

    best = max(finished + living, key=score)
    return best[0][1:-1], score(best)
