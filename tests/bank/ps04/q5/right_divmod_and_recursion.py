def cheaper_up_to(d, d_k, d_v, n_gates):
    if n_gates < 0:
        return None
    attention = lambda L: L * d * (2 * d_k + d_v) + L * L * (d_k + d_v)
    recurrent = lambda L: L * n_gates * d_v * (d + d_v)
    low, high = 0, 1
    while attention(high) <= recurrent(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if attention(middle) <= recurrent(middle) else (low, middle)
    return np.int16(low)
