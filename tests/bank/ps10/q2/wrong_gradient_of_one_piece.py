# points: 3
# message: 'the gradient': the shape


def smoothed_loss(logits, targets, smoothing):
    log_p = logits.log_softmax(-1)
    l = (
        -(1 - smoothing) * log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
        - smoothing * log_p.mean(-1).detach()
    )
    return l[targets != 0].mean()
