class Cache:
    def __init__(self, W_Q, W_C, U_K, U_V, window):
        self.W_Q, self.W_C, self.U_K, self.U_V = (W.double().numpy() for W in (W_Q, W_C, U_K, U_V))
        self.kept, self.n, self.window = np.zeros((0, self.W_C.shape[1])), 0, window

    def add(self, x):
        x = x.double().numpy()
        self.kept = np.vstack([self.kept, x @ self.W_C])
        scores = x @ self.W_Q @ self.U_K.T @ self.kept.T / np.sqrt(self.W_Q.shape[1])
        for row in range(len(x)):
            place = self.n + row
            scores[row, place + 1 :] = -np.inf
            scores[row, : max(place + 1 - self.window, 0)] = -np.inf
        self.n += len(x)
        e = np.exp(scores - scores.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True) @ self.kept @ self.U_V

    def take_back(self, n):
        self.n -= n
        self.kept = self.kept[: self.n]


def diagnosis():
    return {4: "B", 6: "D", 7: "F", 10: "A"}
