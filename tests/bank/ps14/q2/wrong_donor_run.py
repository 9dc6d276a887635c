# points: 2
# message: patched: these are the logits of donor


def patched(run, ids, donor, layer, head, place):
    return run(donor)


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
