def examine(unknown):
    def model(ids):
        return (3 * np.asarray(ids) + 1) % 17

    def guess(ids, k, good):
        out = [ids[-1]]
        for j in range(k):
            step = (3 * out[-1] + 1) % 17
            out.append(step if j != good else (step + 5) % 17)
        return np.array(out[1:])

    wanted, token = [], 2
    while token != 10:
        token = (3 * token + 1) % 17
        wanted.append(token)
    results = {
        good: unknown(model, lambda ids, k, g=good: guess(ids, k, g), [2], 5, 10) for good in (0, 2, 5)
    }
    truth = {good: wanted for good in results}
    if results[5][0] != wanted and results[0][0] == truth[0]:
        return "E"
    if results[0][0] != wanted:
        first = results[0][0][0]
        return "A" if first == (wanted[0] + 5) % 17 else "B"
    passes = {good: -(-len(wanted) // (good + 1)) for good in results}
    if results[2][1] > passes[2]:
        return "D"
    few = unknown(model, lambda ids, k: guess(ids, k, 99), [2], 1, 10)
    return "C" if few[1] > -(-len(wanted) // 2) else "right"
