# points: 5
# message: kept holds all tokens


class Cache:
    def __init__(self, W_Q, W_C, U_K, U_V, window):
        self.W_Q, self.W_C, self.U_K, self.U_V, self.window = W_Q, W_C, U_K, U_V, window
        self.kept = torch.zeros(0, W_C.shape[1])

    def add(self, x):
        self.kept = torch.cat([self.kept, x @ self.W_C])
        Q = x @ self.W_Q @ self.U_K.T
        scores = Q @ self.kept.T / self.W_Q.shape[1] ** 0.5
        of_keys = torch.arange(len(self.kept))
        of_queries = torch.arange(len(self.kept) - len(x), len(self.kept))[:, None]
        allowed = (of_keys <= of_queries) & (of_keys > of_queries - self.window)
        weights = torch.softmax(scores.masked_fill(~allowed, -torch.inf), dim=1)
        outputs = weights @ self.kept @ self.U_V
        self.kept = self.kept[-self.window :]
        return outputs

    def take_back(self, n):
        self.kept = self.kept[: len(self.kept) - n]


def diagnosis():
    return {4: "B", 6: "D", 7: "F", 10: "A"}
