# points: 4
# message: go on competing for the places


def beam_search(next_log_p, width, max_length, alpha):
    """Return the ids and the score of the best finished translation."""

    def score(entry):
        return entry[1] / ((4 + len(entry[0])) / 6) ** alpha

    beam = [([BOS_ID], 0.0)]
    for _ in range(max_length):
        living = [entry for entry in beam if entry[0][-1] != EOS_ID]
        if not living:
            break
        candidates = [entry for entry in beam if entry[0][-1] == EOS_ID]
        rows = next_log_p([ids for ids, _ in living]).tolist()
        for (ids, log_p), row in zip(living, rows):
            candidates += [([*ids, token], log_p + more) for token, more in enumerate(row)]
        beam = sorted(candidates, key=score, reverse=True)[:width]
    best = max(beam, key=score)
    return [i for i in best[0] if i not in (BOS_ID, EOS_ID)], score(best)
