from bisect import bisect_left

receptive_field = lambda k, n_layers: k * n_layers - (n_layers - 1)  # k words each, minus the overlaps


def layers_needed(distance, k):
    sides = [receptive_field(k, n) // 2 for n in range(distance + 1)]
    return bisect_left(sides, distance)
