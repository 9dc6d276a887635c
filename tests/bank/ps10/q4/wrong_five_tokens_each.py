# points: 4.5
# message: the few likeliest tokens alone


def beam_search(next_log_p, width, max_length, alpha):
    """Return the ids and the score of the best finished translation."""
    living, finished = [([BOS_ID], 0.0)], []
    for _ in range(max_length):
        if not living:
            break
        log_ps = next_log_p([ids for ids, _ in living])
        top = log_ps.topk(min(5, log_ps.shape[1]))
        candidates = []
        for n, (ids, log_p) in enumerate(living):
            for more, token in zip(top.values[n].tolist(), top.indices[n].tolist()):
                candidates.append(([*ids, token], log_p + more))
        candidates.sort(key=lambda c: c[1], reverse=True)
        finished += [c for c in candidates[:width] if c[0][-1] == EOS_ID]
        living = [c for c in candidates[:width] if c[0][-1] != EOS_ID]
    finished += living

    def score(entry):
        return entry[1] / ((4 + len(entry[0])) / 6) ** alpha

    best = max(finished, key=score)
    return [i for i in best[0] if i not in (BOS_ID, EOS_ID)], score(best)
