# points: 3
# message: No gradient reaches the scores


def masked_softmax(scores, allowed):
    s = scores.detach().numpy()
    a = np.broadcast_to(allowed.numpy(), s.shape)
    s = np.where(a, s, -np.inf)
    m = s.max(axis=-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(m), 0, m))
    total = e.sum(axis=-1, keepdims=True)
    return torch.from_numpy(e / np.where(total == 0, 1, total))
