# points: 0
# message: course_lib.functional.lookups.soft_lookup is called


def cosine_lookup(queries, keys, values, beta):
    queries = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    from course_lib.functional import dot_product_scores, soft_lookup as ready

    return ready(queries, keys, values, beta, lambda q, k: dot_product_scores(q, k, scaled=False))
