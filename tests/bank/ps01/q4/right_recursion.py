def product(states, W_h):
    """All products, the last first."""
    if len(states) == 1:
        return [np.eye(len(W_h))]
    later = product(states[1:], W_h)
    return [*later, W_h * (1 - states[1] ** 2) @ later[-1]]


def gradient_norms(states, W_h):
    return [np.linalg.norm(J, 2) for J in product(states, W_h)][::-1]
