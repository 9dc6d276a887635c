"""Ids of the special tokens: padding, start and end of a sentence, unknown word; this module imports nothing."""

PAD_ID, BOS_ID, EOS_ID, UNK_ID = range(4)
