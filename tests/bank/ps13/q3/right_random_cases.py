def examine(unknown):
    # Many small cases, drawn at random, in which the practice programs and the unknown one are compared.
    rng = np.random.default_rng(0)
    left = ["right", "A", "B", "C", "D", "E"]
    for _ in range(60):
        table = rng.integers(0, 4, 5).tolist()
        guess = rng.integers(0, 4, 64).tolist()
        k, start = int(rng.integers(1, 5)), [int(rng.integers(4))]

        def large(ids):
            return [table[token] for token in ids]

        def draft(ids, k):
            ids = list(ids)
            for n in range(k):
                right = table[ids[-1]]
                ids.append(guess[(len(ids) * 5 + n) % 64] if guess[len(ids) % 64] == 0 else right)
            return ids[-k:]

        seen = unknown(large, draft, start, k, table[0])
        seen = [list(seen[0]), seen[1]]
        left = [
            kind
            for kind in left
            if [*map(lambda x: x, make_speculator(kind)(large, draft, start, k, table[0]))] == seen
        ]
        if len(left) == 1:
            break
    return left[0]
