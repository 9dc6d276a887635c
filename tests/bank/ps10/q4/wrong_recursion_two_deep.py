# points: 4.5
# message: RecursionError


def beam_search(next_log_p, width, max_length, alpha):
    finished = []

    def deal(candidates, steps_left):
        best = sorted(candidates, key=lambda pair: -pair[1])[:width]
        finished.extend(pair for pair in best if pair[0][-1] == EOS_ID)
        go_on([pair for pair in best if pair[0][-1] != EOS_ID], steps_left)

    def go_on(living, steps_left):
        if not living or steps_left == 0:
            finished.extend(living)
            return
        rows = next_log_p([ids for ids, _ in living]).tolist()
        deal(
            [([*ids, t], p + q) for (ids, p), row in zip(living, rows) for t, q in enumerate(row)],
            steps_left - 1,
        )

    go_on([([BOS_ID], 0.0)], max_length)

    def score(pair):
        return pair[1] / ((4 + len(pair[0])) / 6) ** alpha

    best = max(finished, key=score)
    return [t for t in best[0] if t not in (BOS_ID, EOS_ID)], score(best)
