"""Three questions on this page, from memory."""

from coursekit import choice, option, quiz

quiz(
    id="recall-instructors",
    chapter="instructors",
    title="What stays",
    questions=[
        choice(
            "again",
            "Three learners hand in late. You put their notebooks with the others and run the same "
            "`coursekit grade` again. What is graded?",
            {
                "a": option(
                    "Everything, from the start",
                    failure_message="Rows for the same work, exercises and grader are kept.",
                    misconception="from-scratch",
                ),
                "b": option(
                    "The three new ones",
                    correct=True,
                    success_message="Yes. The others already have a row for exactly this work.",
                ),
                "c": option(
                    "Nothing, until the results file is deleted",
                    failure_message="The command compares each notebook with the existing rows and "
                    "grades those that have none.",
                    misconception="all-or-nothing",
                ),
            },
        ),
        choice(
            "fixed",
            "A check was wrong. You fix it in the bank and grade again. Who is graded?",
            {
                "a": option(
                    "Those who failed that check",
                    failure_message="A fixed check may also reject what it had accepted by "
                    "mistake.",
                    misconception="only-losers",
                ),
                "b": option(
                    "Nobody: their notebooks have not changed",
                    failure_message="A row belongs to a notebook **and** to the exercises with "
                    "which it was graded. Those have changed.",
                    misconception="notebook-only",
                ),
                "c": option(
                    "Everyone, but points that a person gave stay",
                    correct=True,
                    success_message="Yes: all rows of the chapter are out of date. The gradebook "
                    "keeps what was graded by hand.",
                ),
                "d": option(
                    "Everyone who hands in a notebook released after the fix",
                    failure_message="The checks in a learner's notebook are for the learner. "
                    "Grading uses the bank's checks.",
                    misconception="notebook-checks-count",
                ),
            },
        ),
        choice(
            "practice",
            "A learner's page says that every answer is right. The notebook that was handed in "
            "is empty. What is the mark?",
            {
                "a": option(
                    "Full marks: the page has checked the answers",
                    failure_message="What a page says stays in that browser. Nobody else has seen "
                    "it.",
                    misconception="page-counts",
                ),
                "b": option(
                    "0: only what was handed in is graded",
                    correct=True,
                    success_message="Yes. The page is practice and sends nothing anywhere.",
                ),
            },
        ),
    ],
    hints=["What does a row of results belong to?", "Where does a page keep what it knows?"],
)
