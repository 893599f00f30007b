"""*The apple under the tree behind the house had been picked* becomes *la pomme sous l'arbre
derrière la maison avait été ramassée*. Three Transformers, trained from different seeds, translate
such sentences without an error.
"""

from coursekit import quiz

quiz(
    title="Predict: the swapped noun",
    hints=["Which words, in which language, determine the gender of the participle?"],
    questions=r"""
## which_noun
Which swap changes the gender of the participle?
- [ ] That of the last noun: it stands next to the verb
  > nearest-noun: Then the models would be wrong in half of the sentences. They make no errors.
- [ ] Both, each in some of the sentences
  > both-nouns: A model that mixed the two up would make errors. These make none.
- [x] That of the subject, in nearly all sentences
  > Yes, in all of them, in every seed: a translator without errors has to follow the subject.

## which_attention
And where do the three Transformers look while they write the participle?
- [ ] All at the English subject, since it is the word to translate from
  > source-only: Only one seed does. The French subject, already written, has the gender as well.
- [ ] All at the French subject, since the French noun has the gender
  > words-only: Two seeds do. The third gets the gender from the English noun, whose French gender
    it has learned.
- [ ] None at a subject: the gender is carried along from word to word
  > carried-along: A recurrent network can do that. In a Transformer everything that passes between
    words has to go through an attention.
- [x] Some at the French subject and some at the English one
  > Yes. Both words determine the gender, and the seeds have learned to use different ones.
""",
)
