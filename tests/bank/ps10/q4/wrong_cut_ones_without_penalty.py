# points: 4
# message: Translations that are cut have too low a score


def beam_search(next_log_p, width, max_length, alpha):
    """Return the ids and the score of the best finished translation."""
    living, finished = [([BOS_ID], 0.0)], []
    for step in range(1, max_length + 1):
        rows = next_log_p([ids for ids, _ in living]).tolist()
        candidates = [
            ([*ids, token], log_p + more)
            for (ids, log_p), row in zip(living, rows)
            for token, more in enumerate(row)
        ]
        candidates.sort(key=lambda c: c[1], reverse=True)
        living = []
        for ids, log_p in candidates[:width]:
            if ids[-1] == EOS_ID:
                finished.append((ids[1:-1], log_p / ((5 + step) / 6) ** alpha))
            else:
                living.append((ids, log_p))
        if not living:
            break
    finished += [(ids[1:], log_p) for ids, log_p in living]
    return max(finished, key=lambda f: f[1])
