# points: 4
# message: go on competing for the places


def beam_search(next_log_p, width, max_length, alpha):
    beam = [([BOS_ID], 0.0)]
    for _ in range(max_length):
        living = [(ids, log_p) for ids, log_p in beam if ids[-1] != EOS_ID]
        if not living:
            break
        candidates = [(ids, log_p) for ids, log_p in beam if ids[-1] == EOS_ID]
        for (ids, log_p), row in zip(living, next_log_p([ids for ids, _ in living])):
            candidates += [([*ids, token], log_p + more) for token, more in enumerate(row.tolist())]
        beam = sorted(candidates, key=lambda candidate: -candidate[1])[:width]

    def score(entry):
        return entry[1] / ((4 + len(entry[0])) / 6) ** alpha

    best = max(beam, key=score)
    return [token for token in best[0] if token not in (BOS_ID, EOS_ID)], score(best)
