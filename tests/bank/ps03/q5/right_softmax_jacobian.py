def value_gradient(queries, keys, values, targets, beta):
    o, w = look_up(queries, keys, values, beta)
    return sum(np.outer(w_i, o_i - t_i) for w_i, o_i, t_i in zip(w, o, targets))


def key_gradient(queries, keys, values, targets, beta):
    o, w = look_up(queries, keys, values, beta)
    total = 0
    for q, o_i, w_i, t in zip(queries, o, w, targets):
        by_weight = values @ (o_i - t)  # ∂ℓ/∂w
        jacobian = np.diag(w_i) - np.outer(w_i, w_i)
        by_score = beta * jacobian @ by_weight
        total = total + by_score[:, None] * (-2) * (keys - q)
    return total
