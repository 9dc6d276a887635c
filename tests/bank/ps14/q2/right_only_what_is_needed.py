def patched(run, ids, donor, layer, head, place):
    vector = None

    def note(n, z):
        nonlocal vector
        if n == layer:
            vector = z[head, place].copy()
        return z

    run(donor, change=note)
    return run(ids, change=lambda n, z: z if n != layer else with_vector(z, head, place, vector))


def with_vector(z, head, place, vector):
    z = z.copy()
    z[head][place] = vector
    return z


def directly(run, ids, donor, layer, head, place):
    vector, later = [], {}

    def note(n, z):
        if n == layer:
            vector.append(z[head, place].copy())

    def note_later(n, z):
        if n > layer:
            later[n] = z.copy()

    run(donor, change=note)
    run(ids, change=note_later)

    def change(n, z):
        if n in later:
            z[...] = later[n]
        elif n == layer:
            z[head, place] = vector[0]

    return run(ids, change=change)
