def smallest(score, heads):
    def search(removed, rest, n):
        if n == 0:
            return removed if score(tuple(removed)) <= 0.5 else None
        for k, head in enumerate(rest):
            found = search([*removed, head], rest[k + 1 :], n - 1)
            if found:
                return found
        return None

    n = 1
    while not (found := search([], heads, n)):
        n += 1
    return np.array(found).tolist()
