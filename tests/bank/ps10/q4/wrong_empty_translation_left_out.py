# points: 4
# message: expected is none


def beam_search(next_log_p, width, max_length, alpha):
    """Return the ids and the score of the best finished translation."""
    living, finished = [([BOS_ID], 0.0)], []
    for _ in range(max_length):
        rows = next_log_p([ids for ids, _ in living]).tolist()
        candidates = []
        for (ids, log_p), row in zip(living, rows):
            for token, new in enumerate(row):
                candidates.append(([*ids, token], log_p + new))
        candidates.sort(key=lambda pair: pair[1], reverse=True)
        best = candidates[:width]
        living = [pair for pair in best if pair[0][-1] != EOS_ID]
        finished += [pair for pair in best if pair[0][-1] == EOS_ID]
        if not living:
            break
    finished += living
    finished = [pair for pair in finished if len(pair[0]) > 2 or pair[0][-1] != EOS_ID] or finished

    def score(pair):
        length = len(pair[0]) - 1
        return pair[1] / ((5 + length) / 6) ** alpha

    best = max(finished, key=score)
    ids = best[0][1:]
    if ids[-1] == EOS_ID:
        ids = ids[:-1]
    return ids, score(best)
