# points: 4
# message: compare only the `width` likeliest


def beam_search(next_log_p, width, max_length, alpha):
    living, finished = [([BOS_ID], 0.0)], []
    for _ in range(max_length):
        rows = next_log_p([ids for ids, _ in living]).tolist()
        candidates = [
            ([*ids, token], log_p + more)
            for (ids, log_p), row in zip(living, rows)
            for token, more in enumerate(row)
        ]
        candidates.sort(key=lambda c: -c[1])
        finished += [c for c in candidates[:width] if c[0][-1] == EOS_ID]
        living = [c for c in candidates[:width] if c[0][-1] != EOS_ID]
        if not living:
            break
    finished = sorted(finished + living, key=lambda c: -c[1])[:width]
    scored = [(log_p / ((4 + len(ids)) / 6) ** alpha, ids) for ids, log_p in finished]
    score, ids = max(scored)
    return [i for i in ids if i not in (BOS_ID, EOS_ID)], score
