"""The grammar that made the course's own English–French corpus, `course_lib/text/embedded/`.

Read the modules in this order: `morphology` (how words change), `nouns`, `adjectives`, `verbs` (the lexicon,
with what goes with what), `words` (elision, contraction, typography), `phrases`, `clauses` (word order in
both languages at once), `scenes`, `patterns` (what is said), `splits` (the corpus). The conventions are in
`DATA_CARD.md` beside the corpus.
"""
