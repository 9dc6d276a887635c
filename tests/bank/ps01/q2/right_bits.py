def one_layer_down(bits, k):
    below = 0
    for j in range(k):
        below |= bits << j
    return below


def receptive_field(k, n_layers):
    bits = 1
    for _ in range(n_layers):
        bits = one_layer_down(bits, k)
    return bin(bits).count("1")


def layers_needed(distance, k):
    bits, layers = 1, 0
    while True:
        bits, layers = one_layer_down(bits, k), layers + 1
        middle = bits.bit_length() // 2
        if middle >= distance and (bits >> (middle - distance)) & 1:
            return layers
