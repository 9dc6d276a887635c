# points: 0
# message: course_lib.functional.masks.causal_mask is called

from course_lib import functional


def decoder_mask(ids, n_queries):
    causal = torch.from_numpy(functional.causal_mask(n_queries, ids.shape[1]))
    return causal & (ids != PAD_ID)[:, None, None, :]
