# points: 0
# message: NotImplementedError


def candidate_logits(parts, source, candidates):
    raise NotImplementedError
