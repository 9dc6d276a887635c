def examine(unknown):
    """Run it beside the programs for practice, with random drafts, until one is left."""
    rng = np.random.default_rng(1)
    left = ["right", "A", "B", "C", "D", "E"]
    for trial in range(300):
        moves, seed, k = rng.integers(0, 6, size=6), int(rng.integers(10**6)), int(rng.integers(1, 5))

        def large(ids):
            return [int(moves[t]) for t in ids]

        def draft(ids, k):
            guesses, own = [], np.random.default_rng([seed, len(ids)])
            for _ in range(k):
                follows = int(moves[[*ids, *guesses][-1]])
                guesses.append(follows if own.random() < 0.7 else int(own.integers(6)))
            return guesses

        found = unknown(large, draft, [0], k, 5)
        left = [kind for kind in left if make_speculator(kind)(large, draft, [0], k, 5) == found]
        if len(left) == 1:
            return left[0]
    return left[0]
