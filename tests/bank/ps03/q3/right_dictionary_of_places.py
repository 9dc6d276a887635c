def decode(queries, keys, radius, blends, places, words):
    import math

    where = dict(zip(words, places))

    def answer(q, b):
        if all(math.dist(q, k) > radius for k in keys):
            return None
        return min(where, key=lambda word: math.dist(where[word], b))

    return [answer(q, b) for q, b in zip(queries, blends)]
