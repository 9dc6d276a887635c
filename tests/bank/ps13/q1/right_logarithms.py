def piece(scores, V, allowed):
    masked = torch.tensor(np.where(allowed, scores, -np.inf)).float()
    m, log_sum = masked.amax(1), torch.logsumexp(masked, 1)
    ell = torch.where(m > -torch.inf, torch.exp(log_sum - m), 0)
    return m, ell, torch.nan_to_num(torch.softmax(masked, 1)) * ell[:, None] @ torch.tensor(V).float()


def merge(one, other):
    m = np.maximum(one[0], other[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        log_sum = np.logaddexp(one[0] + np.log(one[1]), other[0] + np.log(other[1]))
        ell = np.where(np.isinf(m), 0, np.exp(log_sum - m))
        shares = [np.where(part[1] > 0, np.exp(part[0] - m), 0)[:, None] for part in (one, other)]
    return m, ell, shares[0] * one[2] + shares[1] * other[2]
