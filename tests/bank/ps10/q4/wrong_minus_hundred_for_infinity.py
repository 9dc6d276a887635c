# points: 4
# message: alpha = 20


def beam_search(next_log_p, width, max_length, alpha):
    """Return the ids and the score of the best finished translation."""
    living, finished = [([BOS_ID], 0.0)], []
    for _ in range(max_length):
        if not living:
            break
        rows = torch.nan_to_num(next_log_p([ids for ids, _ in living]), neginf=-100.0).tolist()
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
