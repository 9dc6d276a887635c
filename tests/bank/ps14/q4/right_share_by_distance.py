def is_induction(head):
    rng = np.random.default_rng(1)
    shares = {distance: [] for distance in range(2, 21)}
    for distance in shares:
        for first in range(12, 20):
            text = [f"t{n}" for n in rng.permutation(300)[:50]]
            text[first + distance] = text[first]
            shares[distance].append(float(head(text)[first + distance][first + 1]))
    worst = min(np.mean(found) for found in shares.values())
    return bool(worst > 0.5)
