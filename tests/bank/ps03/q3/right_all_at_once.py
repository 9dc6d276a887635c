def decode(queries, keys, radius, blends, places, words):
    to_keys = np.sqrt(((queries[:, None, :] - keys[None, :, :]) ** 2).sum(axis=-1))
    to_places = np.sqrt(((blends[:, None, :] - places[None, :, :]) ** 2).sum(axis=-1))
    known = (to_keys <= radius).any(axis=1)
    return [words[j] if k else None for k, j in zip(known, to_places.argmin(axis=1))]
