import bisect


def beam_search(next_log_p, width, max_length, alpha):
    def score(ids, log_p):
        return log_p * ((5 + len(ids)) / 6) ** -alpha

    alive, best = {(): 0.0}, (None, float("-inf"))
    for n in range(max_length):
        kept = []
        for (ids, log_p), row in zip(alive.items(), next_log_p([[BOS_ID, *ids] for ids in alive])):
            for token in range(row.shape[0]):
                total = log_p + row[token].item()
                if len(kept) == width and total <= kept[-1][1]:
                    continue
                bisect.insort(kept, (ids + (token,), total), key=lambda c: -c[1])
                del kept[width:]
        alive = {}
        for ids, total in kept:
            if ids[-1] == EOS_ID or n == max_length - 1:
                best = max(best, (ids, score(ids, total)), key=lambda pair: pair[1])
            else:
                alive[ids] = total
        if not alive:
            break
        most = max(alive.values()) / ((5 + max_length) / 6) ** alpha
        if most < best[1]:
            break
    return [i for i in best[0] if i != EOS_ID], best[1]
