# points: 0
# message: the largest error


def _kept(run, text):
    kept = {}
    run(text, lambda n, z: kept.update({n: z.copy()}))
    return kept


def patched(run, ids, donor, layer, head, place):
    theirs = _kept(run, donor)

    def change(n, z):
        if n == layer:
            z[head, place, 0] = theirs[n][head, place, 0]
        return z

    return run(ids, change)


def directly(run, ids, donor, layer, head, place):
    theirs, ours = _kept(run, donor), _kept(run, ids)

    def change(n, z):
        z = ours[n].copy()
        if n == layer:
            z[head, place, 0] = theirs[n][head, place, 0]
        return z

    return run(ids, change)
