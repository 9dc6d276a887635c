# points: 2
# message: patched: nothing is patched


def patched(run, ids, donor, layer, head, place):
    kept = {}
    run(donor, lambda n, z: kept.update({n: z.copy()}))

    def swap(n, z):
        new = z.copy()
        if n == layer:
            new[head, place] = kept[n][head, place]
        return z

    return run(ids, swap)


def directly(run, ids, donor, layer, head, place):
    own, theirs = {}, {}
    run(ids, lambda n, z: own.update({n: z.copy()}))
    run(donor, lambda n, z: theirs.update({n: z.copy()}))

    def change(n, z):
        if n > layer:
            return own[n]
        if n == layer:
            z[head, place] = theirs[n][head, place]
        return z

    return run(ids, change)
