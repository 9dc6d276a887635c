# points: 2.5
# message: shared out among the living


def beam_search(next_log_p, width, max_length, alpha):
    living, finished = [([BOS_ID], 0.0)], []
    for _ in range(max_length):
        rows = next_log_p([ids for ids, _ in living]).tolist()
        best = []
        for (ids, log_p), row in zip(living, rows):
            own = sorted(([*ids, t], log_p + more) for t, more in enumerate(row))
            best += sorted(own, key=lambda c: -c[1])[: max(1, width // len(living))]
        finished += [c for c in best if c[0][-1] == EOS_ID]
        living = [c for c in best if c[0][-1] != EOS_ID]
        if not living:
            break

    def score(c):
        return c[1] / ((5 + len(c[0]) - 1) / 6) ** alpha

    best = max(finished + living, key=score)
    return [i for i in best[0] if i not in (BOS_ID, EOS_ID)], score(best)
