def smoothed_loss(logits, targets, smoothing):
    losses = []
    for sentence, ids in zip(logits, targets):
        for row, y in zip(sentence, ids):
            if y == 0:
                continue
            shifted = row - row.max()
            log_p = shifted - torch.log(torch.exp(shifted).sum())
            loss = -(1 - smoothing) * log_p[y]
            for other in log_p:
                loss = loss - smoothing / len(log_p) * other
            losses.append(loss)
    return torch.stack(losses).mean()
