def masked_softmax(scores, allowed):
    whole = ~allowed.any(-1, keepdim=True)
    filled = scores.masked_fill(~allowed & ~whole, -torch.inf)
    return torch.log_softmax(filled, -1).exp() * allowed
