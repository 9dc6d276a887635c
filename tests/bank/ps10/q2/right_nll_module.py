class Loss(torch.nn.Module):
    def __init__(self, smoothing):
        super().__init__()
        self.smoothing = smoothing
        self.log_softmax = torch.nn.LogSoftmax(dim=-1)
        self.nll = torch.nn.NLLLoss(ignore_index=PAD_ID, reduction="sum")

    def forward(self, logits, targets):
        log_p = self.log_softmax(logits)
        n_real = targets.count_nonzero()
        at_target = self.nll(log_p.transpose(1, 2), targets)
        spread = log_p.mean(-1).masked_fill(targets == PAD_ID, 0.0).sum()
        return ((1 - self.smoothing) * at_target - self.smoothing * spread) / n_real


def smoothed_loss(logits, targets, smoothing):
    return Loss(smoothing)(logits, targets)
