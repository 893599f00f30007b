"""Three questions on this page, from memory."""

from coursekit import quiz

quiz(
    title="What stays",
    hints=["To what does a row of results belong?", "Where does a page keep what it knows?"],
    questions=r"""
## again
Three learners hand in late. You put their notebooks beside the others and run the same
`coursekit grade` again. What is graded?
- [ ] Everything, from the start
  > from-scratch: Rows for the same work, the same exercises and the same grader are kept.
- [x] The three new ones > Yes. The others already have a row of exactly this work.
- [ ] Nothing, until the results file is deleted
  > all-or-nothing: The command compares each notebook with the rows that are there, and grades what
    has none.

## fixed
A check was wrong. You fix it in the bank and grade again. Who is graded?
- [ ] Those who failed that check
  > only-losers: A fixed check may also reject what it accepted by mistake.
- [ ] Nobody: their notebooks have not changed
  > notebook-only: A row belongs to a notebook **and** to the exercises with which it was graded.
    Those have changed.
- [x] Everyone, but points that a person gave stay
  > Yes: all rows of the chapter are out of date. The gradebook keeps what was graded by hand.
- [ ] Everyone who hands in a notebook released after the fix
  > notebook-checks-count: The checks in a learner's notebook are for the learner. Grading uses the
    bank's.

## practice
A learner's page says that every answer is right. The notebook that was handed in is empty. What is
the mark?
- [ ] Full marks: the page has checked the answers
  > page-counts: What a page says stays in that browser. Nobody else has seen it.
- [x] 0: only what was handed in is graded > Yes. The page is practice and sends nothing anywhere.
""",
)
