def receptive_field(k, n_layers):
    seen = {0}
    for _ in range(n_layers):
        seen = {place + step for place in seen for step in range(k)}
    return len(seen)


def layers_needed(distance, k):
    n = 1
    while receptive_field(k, n) // 2 < distance:
        n += 1
    return n
