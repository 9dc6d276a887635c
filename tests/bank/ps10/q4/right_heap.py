import heapq


def beam_search(next_log_p, width, max_length, alpha):
    alive = [(0.0, (BOS_ID,))]
    ended = []
    for _ in range(max_length):
        if not alive:
            break
        rows = next_log_p([list(ids) for _, ids in alive])
        options = (
            (so_far + float(row[token]), (*ids, token))
            for (so_far, ids), row in zip(alive, rows)
            for token in range(len(row))
        )
        best = heapq.nlargest(width, options)
        ended += [option for option in best if option[1][-1] == EOS_ID]
        alive = [option for option in best if option[1][-1] != EOS_ID]
    scored = [(log_p * (6 / (4 + len(ids))) ** alpha, ids) for log_p, ids in ended + alive]
    score, ids = max(scored)
    return [i for i in ids[1:] if i != EOS_ID], score
