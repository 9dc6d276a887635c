# points: 4
# message: With one place, the length penalty is missing


def greedy(next_log_p, max_length):
    ids, total = [BOS_ID], 0.0
    for _ in range(max_length):
        row = next_log_p([ids])[0]
        token = int(row.argmax())
        total += float(row[token])
        if token == EOS_ID:
            break
        ids = ids + [token]
    return ids[1:], total


def beam_search(next_log_p, width, max_length, alpha):
    """Return the ids and the score of the best finished translation."""
    if width == 1:
        return greedy(next_log_p, max_length)
    living, finished = [([BOS_ID], 0.0)], []
    for _ in range(max_length):
        if not living:
            break
        rows = next_log_p([ids for ids, _ in living]).tolist()
        candidates = [
            ([*ids, token], log_p + more)
            for (ids, log_p), row in zip(living, rows)
            for token, more in enumerate(row)
        ]
        candidates.sort(key=lambda c: c[1], reverse=True)
        finished += [c for c in candidates[:width] if c[0][-1] == EOS_ID]
        living = [c for c in candidates[:width] if c[0][-1] != EOS_ID]
    finished += living

    def score(entry):
        return entry[1] / ((4 + len(entry[0])) / 6) ** alpha

    best = max(finished, key=score)
    return [i for i in best[0] if i not in (BOS_ID, EOS_ID)], score(best)
