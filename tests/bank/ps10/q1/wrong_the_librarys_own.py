# points: 0
# message: course_lib.text.batches.pad is called

from course_lib.text.batches import pad


def make_batch(pairs):
    source = pad([s + [EOS_ID] for s, _ in pairs])
    return {
        "source": source,
        "source_mask": (source != PAD_ID).unsqueeze(1),
        "target_in": pad([[BOS_ID] + t for _, t in pairs]),
        "target_out": pad([t + [EOS_ID] for _, t in pairs]),
    }
