def before(maps):
    scores = []
    for head in maps:
        total = 0.0
        for i in range(1, len(head)):
            total += head[i, i - 1]
        scores.append(total / (len(head) - 1))
    return scores


def induction(maps, tokens):
    scores = []
    for head in maps:
        found = []
        for i in range(len(tokens)):
            weight, known = 0.0, False
            for j in range(i):
                if tokens[j] == tokens[i]:
                    weight += head[i][j + 1]
                    known = True
            if known:
                found.append(weight)
        scores.append(sum(found) / len(found) if found else 0.0)
    return scores
