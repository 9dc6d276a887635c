# points: 3
# message: only the last layer is held fast


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
    own, theirs = {}, {}
    run(ids, lambda n, z: own.update({n: z.copy()}))
    run(donor, lambda n, z: theirs.update({n: z.copy()}))

    def change(n, z):
        if n > layer and n == max(own):
            return own[n]
        if n == layer:
            z[head, place] = theirs[n][head, place]
        return z

    return run(ids, change)
