from dataclasses import dataclass


@dataclass
class Hypothesis:
    ids: list
    log_p: float

    @property
    def done(self):
        return self.ids[-1] == EOS_ID

    def score(self, alpha):
        return self.log_p / ((4 + len(self.ids)) / 6) ** alpha

    def extended(self, row):
        return [
            Hypothesis([*self.ids, token], self.log_p + float(p))
            for token, p in enumerate(row)
            if p > -math.inf
        ]


def beam_search(next_log_p, width, max_length, alpha):
    def search(living, finished, left):
        if not living or not left:
            return finished + living
        rows = next_log_p([h.ids for h in living])
        options = []
        for h, row in zip(living, rows):
            own = sorted(h.extended(row), key=lambda o: o.log_p)
            options += own[-width:]
        options = sorted(options, key=lambda o: o.log_p)[-width:]
        return search([o for o in options if not o.done], finished + [o for o in options if o.done], left - 1)

    best = max(search([Hypothesis([BOS_ID], 0.0)], [], max_length), key=lambda h: h.score(alpha))
    return tuple(i for i in best.ids[1:] if i != EOS_ID), torch.tensor(best.score(alpha), dtype=torch.float64)
