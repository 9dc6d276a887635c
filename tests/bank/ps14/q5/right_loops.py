def smallest(score, heads):
    for a in heads:
        if score([a]) <= 0.5:
            return [a]
    for i, a in enumerate(heads):
        for b in heads[i + 1 :]:
            if score([a, b]) <= 0.5:
                return [a, b]
    for i, a in enumerate(heads):
        for j in range(i + 1, len(heads)):
            for c in heads[j + 1 :]:
                if score([a, heads[j], c]) <= 0.5:
                    return [a, heads[j], c]
