def beam_search(next_log_p, width, max_length, alpha):
    living = {(BOS_ID,): 0.0}
    best_ids, best_score = None, -math.inf
    for step in range(1, max_length + 1):
        penalty = ((5 + step) / 6) ** alpha
        candidates = {}
        for ids, log_p in living.items():
            row = next_log_p([list(ids)])[0]
            for token, more in enumerate(row.tolist()):
                candidates[(*ids, token)] = log_p + more
        living = {}
        for ids in sorted(candidates, key=candidates.get, reverse=True)[:width]:
            if ids[-1] != EOS_ID:
                living[ids] = candidates[ids]
            if ids[-1] == EOS_ID or step == max_length:
                score = candidates[ids] / penalty
                if score > best_score:
                    best_score = score
                    best_ids = [i for i in ids if i > EOS_ID or i == PAD_ID]
        if not living:
            break
    return best_ids, best_score
