def outputs(run, text):
    found = []
    run(text, lambda layer, z: found.append(np.array(z)))
    return found


def patched(run, ids, donor, layer, head, place):
    value = outputs(run, donor)[layer][head, place]

    def change(number, z):
        new = z.copy()
        if number == layer:
            new[head, place, :] = value
        return new

    return run(ids, change)


def directly(run, ids, donor, layer, head, place):
    plan = outputs(run, ids)
    plan[layer][head, place, :] = outputs(run, donor)[layer][head, place]
    return run(ids, lambda number, z: plan[number] if number >= layer else z)
