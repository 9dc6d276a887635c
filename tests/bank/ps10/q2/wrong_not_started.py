# points: 0
# message: NotImplementedError


def smoothed_loss(logits, targets, smoothing):
    raise NotImplementedError
