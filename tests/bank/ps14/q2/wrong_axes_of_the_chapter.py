# points: 0
# message: IndexError


def patched(run, ids, donor, layer, head, place):
    kept = {}

    def keep(number, z):
        kept[number] = z.copy()

    def change(number, z):
        if number == layer:
            z[place, head] = kept[layer][place, head]
        return z

    run(donor, keep)
    return run(ids, change)


def directly(run, ids, donor, layer, head, place):
    own, theirs = {}, {}

    def change(number, z):
        if number == layer:
            z[place, head] = theirs[layer][place, head]
        return own[number] if number > layer else z

    run(ids, lambda number, z: own.update({number: z.copy()}))
    run(donor, lambda number, z: theirs.update({number: z.copy()}))
    return run(ids, change)
