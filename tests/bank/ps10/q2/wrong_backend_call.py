# points: 0
# message: cross_entropy_loss


def smoothed_loss(logits, targets, smoothing):
    return torch.ops.aten.cross_entropy_loss(
        logits.flatten(0, 1), targets.flatten(), None, 1, PAD_ID, smoothing
    )
