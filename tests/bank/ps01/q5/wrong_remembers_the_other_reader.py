# points: 0
# message: a forward reader with states of

partners = {}


def bidirectional(x, forward, backward):
    partner = partners.setdefault((x.shape, forward), backward)
    return np.concatenate([forward(x), partner(x[::-1])[::-1]], axis=1)
