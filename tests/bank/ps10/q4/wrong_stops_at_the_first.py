# points: 0.5
# message: You stop at the first sentence that ends


def beam_search(next_log_p, width, max_length, alpha):
    living = [([BOS_ID], 0.0)]
    for _ in range(max_length):
        candidates = [
            ([*ids, token], log_p + more)
            for (ids, log_p), row in zip(living, next_log_p([ids for ids, _ in living]).tolist())
            for token, more in enumerate(row)
        ]
        candidates.sort(key=lambda c: -c[1])
        living = candidates[:width]
        ended = [c for c in living if c[0][-1] == EOS_ID]
        if ended:
            living = ended
            break
    scored = [(log_p / ((4 + len(ids)) / 6) ** alpha, ids) for ids, log_p in living]
    score, ids = max(scored)
    return [i for i in ids if i not in (BOS_ID, EOS_ID)], score
