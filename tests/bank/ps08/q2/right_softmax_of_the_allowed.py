def masked_softmax(scores, allowed):
    allowed = allowed.broadcast_to(scores.shape)
    out = torch.zeros_like(scores)
    for i in np.ndindex(*scores.shape[:-1]):
        if allowed[i].any():
            out[i][allowed[i]] = torch.softmax(scores[i][allowed[i]], dim=0)
    return out
