class Order:
    def __init__(self, places):
        self.places = np.array(places)

    def __call__(self, text):
        return text[self.places]

    def inverse(self):
        inv = np.empty(len(self.places), dtype=int)
        inv[self.places] = np.arange(len(self.places))
        return Order(inv)

    def then(self, other):
        return Order(other(self.places))


def _one(w, o):
    return Order(o).inverse()(w.T).T


def original_weights(weights, order):
    if order.size == 0:
        return weights.copy()
    return np.vectorize(_one, signature="(q,k),(k)->(q,k)", otypes=[weights.dtype])(weights, order)


def total_order(first, second):
    return Order(first).then(Order(second)).places
