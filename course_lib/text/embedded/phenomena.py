"""The phenomena that sentences are tagged with, each as a rule that can be tested on the French text.

A tag names the French words that show the rule. Agreement is tagged where it shows: *belle*, but not *beau*;
*parties*, but not *parti*.
"""

PHENOMENA: dict[str, str] = {
    "article": "Article, demonstrative and quel take gender and number of their noun: la, les, cette, quelle.",
    "adjective_before": "An adjective before its noun takes gender and number of the noun: une belle maison.",
    "adjective_after": "An adjective after its noun takes gender and number of the noun: des robes blanches.",
    "adjective_predicate": "An adjective after être, sembler, devenir agrees with the subject: Elles sont heureuses.",
    "participle_subject": "After être a past participle agrees with the subject: La fille est partie.",
    "participle_object": "After avoir a past participle agrees with a direct object before it: Il les a vus.",
    "elision": "le, la, je, me, te, se, ne, de, que, ce, si lose their vowel before a vowel or mute h: l’homme, s’il.",
    "h_aspire": "Before an h aspiré nothing elides and no form changes: le héros, ma hache, ce hibou.",
    "prevocalic": "Before a vowel or mute h stand mon, ton, son for ma, ta, sa, and cet, bel, nouvel, vieil.",
    "contraction": "de and à merge with le and les, not with la and l’: du, des, au, aux.",
    "negation": "ne … pas stands round the finite verb, object pronouns inside: Elle ne le voit pas.",
    "negation_de": "Under negation un, une, des and du before a direct object become de: Il n’a pas de chat.",
    "plural_de": "Before an adjective that precedes its noun, des becomes de: de beaux livres.",
    "partitive": "Some of a mass is de + article: du lait, de la soupe, de l’eau.",
    "object_pronoun": "Object pronouns stand before the verb they belong to: Je t’aime, Elle va lui parler.",
    "antecedent": "it and they take the gender of the French noun they stand for: la pomme … Il la mange.",
    "relative_qui": "qui is the subject of its relative clause, whose verb agrees with the antecedent.",
    "relative_que": "que, qu’ is the object of its relative clause: les pommes que la fille a achetées.",
    "distractor": "A verb agrees with its subject across a noun of other gender or number: Les clés du tiroir sont …",
    "possessive": "The possessive agrees with the thing possessed, not with its owner: son père, sa mère.",
    "present": "A finite verb in the present, which also renders the English progressive: Il dort.",
    "past_avoir": "The passé composé of most verbs takes avoir: Elle a mangé.",
    "past_etre": "The passé composé of verbs of going and staying and of reflexive verbs takes être: Elle est partie.",
    "near_future": "be going to is aller with an infinitive: Ils vont dormir.",
    "modal": "want and must are vouloir and devoir with an infinitive: Je dois partir.",
    "question": "A question inverts verb and subject pronoun, or opens with est-ce que: Dort-il ? Le chat dort-il ?",
    "question_t": "Between a verb that ends in a vowel and il or elle stands -t-: Mange-t-elle ?",
    "conjunction": "et joins subjects, objects or clauses; a masculine noun makes a joined subject masculine.",
    "reflexive": "A reflexive verb has se, agreeing with its subject, before it: Je me lève, Ils se lavent.",
    "address": "Who is addressed decides between tu and vous, and the gender: Êtes-vous prête, madame ?",
}
