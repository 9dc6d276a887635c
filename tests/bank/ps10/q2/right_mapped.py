def smoothed_loss(logits, targets, smoothing):
    def one(row, y):
        log_p = row.log_softmax(0)
        q = smoothing / len(row) + (1 - smoothing) * (torch.arange(len(row)) == y)
        return -(q @ log_p)

    losses = torch.vmap(torch.vmap(one))(logits, targets)
    keep = targets.bool()
    return losses[keep].sum().div(keep.sum())
