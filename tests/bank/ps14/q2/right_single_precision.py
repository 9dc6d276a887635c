def patched(run, ids, donor, layer, head, place):
    theirs = {}

    def keep(n, z):
        theirs[n] = z.astype(np.float32)
        return theirs[n]

    def swap(n, z):
        z = z.astype("float32")
        if n == layer:
            z[head, place] = theirs[n][head, place]
        return z

    run(donor, keep)
    return run(ids, swap).astype(np.float32)


def directly(run, ids, donor, layer, head, place):
    kept = []
    for text in (ids, donor):
        kept.append({})
        run(text, lambda n, z: kept[-1].update({n: z.astype(np.float32)}))
    own, theirs = kept

    def change(n, z):
        if n < layer:
            return z.astype(np.float32)
        z = own[n]
        if n == layer:
            z = np.concatenate([z[:head], z[head : head + 1].copy(), z[head + 1 :]])
            z[head, place] = theirs[layer][head, place]
        return z

    return run(ids, change)
