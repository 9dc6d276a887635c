# points: 2.5
# message: Each beginning keeps its own best


def beam_search(next_log_p, width, max_length, alpha):
    living, finished = [([BOS_ID], 0.0)], []
    for _ in range(max_length):
        if not living:
            break
        kept = []
        for (ids, log_p), row in zip(living, next_log_p([ids for ids, _ in living])):
            best = row.topk(width)
            kept += [([*ids, int(i)], log_p + float(v)) for v, i in zip(best.values, best.indices)]
        finished += [c for c in kept if c[0][-1] == EOS_ID]
        living = [c for c in kept if c[0][-1] != EOS_ID]
    scored = [(log_p / ((4 + len(ids)) / 6) ** alpha, ids) for ids, log_p in finished + living]
    score, ids = max(scored)
    return [i for i in ids if i not in (BOS_ID, EOS_ID)], score
