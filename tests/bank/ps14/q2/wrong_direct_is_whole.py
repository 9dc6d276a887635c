# points: 2
# message: directly: the layers behind the head are computed anew


def patched(run, ids, donor, layer, head, place):
    kept = {}

    def keep(n, z):
        kept[n] = z.copy()

    def swap(n, z):
        if n == layer:
            z[head, place] = kept[n][head, place]
        return z

    run(donor, keep)
    return run(ids, swap)


def directly(run, ids, donor, layer, head, place):
    kept = {}

    def keep(n, z):
        kept[n] = z.copy()

    def swap(n, z):
        if n == layer:
            z[head, place] = kept[n][head, place]
        return z

    run(donor, keep)
    return run(ids, swap)
