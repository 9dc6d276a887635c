class Row:
    """The allowed scores of one query."""

    def __init__(self, scores, allowed):
        self.scores, self.allowed = scores, allowed

    def softmax(self):
        if not self.allowed.any():
            return self.scores * 0
        filled = torch.where(self.allowed, self.scores, torch.tensor(float("-inf")).to(self.scores))
        return filled.softmax(0)


def masked_softmax(scores, allowed):
    allowed = torch.broadcast_to(allowed, scores.shape)
    L = scores.shape[-1]
    rows = zip(scores.reshape(-1, L), allowed.reshape(-1, L))
    return torch.stack([Row(*pair).softmax() for pair in rows]).reshape(scores.shape)


def selfcheck():
    import course_lib.functional as theirs

    s = torch.randn(2, 3)
    return torch.allclose(torch.as_tensor(theirs.softmax(s.numpy())), masked_softmax(s, s < 9))
