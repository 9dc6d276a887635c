import math


def piece(scores, V, allowed):
    m, ell, o = [], [], []
    for row, own in zip(scores, allowed):
        seen = [j for j in range(len(row)) if own[j]]
        top = max((row[j] for j in seen), default=-math.inf)
        m.append(top)
        ell.append(sum(math.exp(row[j] - top) for j in seen))
        o.append([sum(math.exp(row[j] - top) * V[j][c] for j in seen) for c in range(V.shape[1])])
    return m, ell, o


def merge(one, other):
    result = [], [], []
    for m1, l1, o1, m2, l2, o2 in zip(*one, *other):
        if m1 < m2:
            m1, l1, o1, m2, l2, o2 = m2, l2, o2, m1, l1, o1
        factor = math.exp(m2 - m1) if l2 > 0 else 0.0
        result[0].append(m1)
        result[1].append(l1 + factor * l2)
        result[2].append(o1 + factor * o2)
    return result
