import numpy as np


def beam_search(next_log_p, width, max_length, alpha):
    nodes = [(None, BOS_ID)]  # (parent's number, token)

    def path(number):
        tokens = []
        while number is not None:
            number, token = nodes[number]
            tokens.append(token)
        return tokens[::-1]

    live, sums = [0], np.zeros(1)
    best_ids, best_score = None, -np.inf

    def offer(number, log_p):
        nonlocal best_ids, best_score
        ids = path(number)
        L = len(ids) - 1
        score = log_p / ((5 + L) / 6) ** alpha
        if best_ids is None or score > best_score:
            best_ids, best_score = ids, score

    for _ in range(max_length):
        table = sums[:, None] + next_log_p([path(n) for n in live]).detach().numpy()
        flat = table.ravel()
        k = min(width, flat.size)
        chosen = np.argpartition(-flat, k - 1)[:k]
        next_live, next_sums = [], []
        for c in chosen:
            parent, token = np.unravel_index(c, table.shape)
            nodes.append((live[parent], int(token)))
            if token == EOS_ID:
                offer(len(nodes) - 1, flat[c])
            else:
                next_live.append(len(nodes) - 1)
                next_sums.append(flat[c])
        live, sums = next_live, np.array(next_sums)
        if not live:
            break
    for number, log_p in zip(live, sums):
        offer(number, log_p)
    result = best_ids[1:-1] if best_ids[-1] == EOS_ID else best_ids[1:]
    return result, float(best_score)
