def patched(run, ids, donor, layer, head, place):
    seen = []
    run(donor, lambda _, z: seen.append(z))
    wanted = iter(seen)

    def change(number, z):
        theirs = next(wanted)
        if number == layer:
            z[head, place] = theirs[head, place]
        return z

    return run(ids, change)


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
