# points: 0
# message: Result 1 of 2


def beam_search(next_log_p, width, max_length, alpha):
    living, finished = [([BOS_ID], 0.0)], []
    for _ in range(max_length):
        if not living:
            break
        candidates = []
        for (ids, log_p), row in zip(living, next_log_p([ids for ids, _ in living]).tolist()):
            for token, more in enumerate(row):
                longer = ids
                longer.append(token)
                candidates.append((longer, log_p + more))
        candidates.sort(key=lambda c: -c[1])
        finished += [c for c in candidates[:width] if c[0][-1] == EOS_ID]
        living = [c for c in candidates[:width] if c[0][-1] != EOS_ID]
    scored = [(log_p / ((4 + len(ids)) / 6) ** alpha, ids) for ids, log_p in finished + living]
    score, ids = max(scored)
    return [i for i in ids if i not in (BOS_ID, EOS_ID)], score
