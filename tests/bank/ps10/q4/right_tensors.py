def beam_search(next_log_p, width, max_length, alpha):
    beams = torch.tensor([[BOS_ID]])
    sums = torch.zeros(1)
    finished = []
    for length in range(1, max_length + 1):
        log_p = next_log_p(beams.tolist())
        scores = sums.unsqueeze(1) + log_p
        k = min(width, scores.numel())
        sums, places = torch.topk(scores.reshape(-1), k)
        beams = torch.cat([beams[places // log_p.shape[1]], (places % log_p.shape[1]).unsqueeze(1)], dim=1)
        ends = beams[:, -1] == EOS_ID
        if length == max_length:
            ends[:] = True
        for ids, total in zip(beams[ends], sums[ends]):
            finished.append((total / ((5 + length) / 6) ** alpha, ids))
        beams, sums = beams[~ends], sums[~ends]
        if len(beams) == 0:
            break
    score, ids = max(finished, key=lambda pair: pair[0])
    return [int(i) for i in ids[1:] if i != EOS_ID], score.item()
