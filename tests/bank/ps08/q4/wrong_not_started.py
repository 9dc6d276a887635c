# points: 0
# message: NotImplementedError


def write_on(next_logits, start, uniforms, temperature):
    raise NotImplementedError
