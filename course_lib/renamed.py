"""Where names of the first edition are now: a row for a name where a module was split, one for a module that moved."""

RENAMED = {
    "course_lib.corpus.tokenisers.PAD_ID": "course_lib.special_ids.PAD_ID",
    "course_lib.corpus.tokenisers.BOS_ID": "course_lib.special_ids.BOS_ID",
    "course_lib.corpus.tokenisers.EOS_ID": "course_lib.special_ids.EOS_ID",
    "course_lib.corpus.tokenisers.UNK_ID": "course_lib.special_ids.UNK_ID",
}
