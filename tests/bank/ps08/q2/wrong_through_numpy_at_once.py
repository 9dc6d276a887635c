# points: 3
# message: No gradient reaches the scores


def masked_softmax(scores, allowed):
    s = np.where(allowed.numpy(), scores.numpy(), -np.inf)
    largest = s.max(axis=-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(largest), 0, largest))
    total = e.sum(axis=-1, keepdims=True)
    return torch.from_numpy(e / np.where(total == 0, 1, total))
