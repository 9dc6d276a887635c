# points: 0
# message: torch.nn.functional.cross_entropy is called


def smoothed_loss(logits, targets, smoothing):
    return torch.nn.functional.cross_entropy(
        logits.flatten(0, 1), targets.flatten(), ignore_index=PAD_ID, label_smoothing=smoothing
    )
