def check_against_the_library(queries, keys, values, beta):
    ours = cosine_lookup(queries, keys, values, beta)[1]
    theirs = functional.softmax(beta * unit(queries) @ unit(keys).mT)
    assert np.allclose(ours, theirs)


def unit(x):
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12)


def cosine_lookup(queries, keys, values, beta):
    s = np.clip(unit(queries) @ unit(keys).mT, -1, 1) * beta
    m = s.max(axis=-1, keepdims=True)
    w = np.exp(s - (m + np.log(np.exp(s - m).sum(axis=-1, keepdims=True))))
    return w @ values, w
