class Limit:
    def softmax(self, scores):
        with np.errstate(invalid="ignore", divide="ignore"):
            e = np.where(scores - scores.max(-1, keepdims=True) == 0, 1.0, 0.0)
            return np.nan_to_num(e / e.sum(-1, keepdims=True))


limit_weights = Limit().softmax
