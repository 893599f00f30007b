"""Four causal heads have read the same text of nine tokens, `K Q D M K Q D M K`. Rows are queries,
columns are keys, and a digit is a weight in tenths; a dot is 0.

```text
    head 1              head 2
    K Q D M K Q D M K   K Q D M K Q D M K
K   10. . . . . . . .   10. . . . . . . .
Q   9 1 . . . . . . .   9 1 . . . . . . .
D   . 9 1 . . . . . .   9 . 1 . . . . . .
M   . . 9 1 . . . . .   9 . . 1 . . . . .
K   . . . 9 1 . . . .   1 9 . . . . . . .
Q   . . . . 9 1 . . .   1 . 9 . . . . . .
D   . . . . . 9 1 . .   1 . . 9 . . . . .
M   . . . . . . 9 1 .   1 . . . 9 . . . .
K   . . . . . . . 9 1   1 . . . . 9 . . .
```

```text
    head 3              head 4
    K Q D M K Q D M K   K Q D M K Q D M K
K   10. . . . . . . .   10. . . . . . . .
Q   9 1 . . . . . . .   9 1 . . . . . . .
D   9 . 1 . . . . . .   9 . 1 . . . . . .
M   9 . . 1 . . . . .   9 . . 1 . . . . .
K   9 . . . 1 . . . .   9 . . . 1 . . . .
Q   1 9 . . . . . . .   9 . . . . 1 . . .
D   1 . 9 . . . . . .   9 . . . . . 1 . .
M   1 . . 9 . . . . .   9 . . . . . . 1 .
K   1 . . . 9 . . . .   9 . . . . . . . 1
```
"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="find-the-head",
    chapter="circuits",
    title="Find the head",
    questions=[
        numeric(
            "previous_token",
            "Which is a previous-token head? Write its number.",
            answer=1,
            tolerance=0.0,
            success_message="Each row has its 9 one place left of the diagonal.",
            failure_message="The answer is one of the numbers 1 to 4. Look for the head in which "
            "each row has its 9 directly left of the diagonal.",
            mistakes={"is-behind-a-match": 2, "is-the-match": 3, "is-a-sink": 4},
        ),
        numeric(
            "score_of_head_2",
            "What is the induction score of head 2: the mean weight that the five queries in the "
            "repeats (rows 5 to 9) give to what followed the same token before? In row 9 both "
            "earlier `K` count.",
            answer=0.9,
            tolerance=0.005,
            success_message="Each of the five has 0.9 on the token that followed. In row 9 that is "
            "the second `Q`; the first has the weight 0.",
            failure_message="Find the 9 in each of rows 5 to 9. Which token stands there, and "
            "which one stood before it? Weights are in tenths.",
            mistakes={
                "over-all-rows": 0.5,
                "row-9-left-out": 0.72,
                "in-tenths": 9,
                "summed": 4.5,
                "halved-last": 0.81,
            },
        ),
        choice(
            "two_rules",
            "Which rule for head 2 is *ruled out* by this map?",
            {
                "a": option(
                    "It looks at what followed the most recent occurrence of the current token.",
                    failure_message="All 9s of rows 5 to 9 fit that rule. So do they fit another.",
                    misconception="induction-excluded",
                ),
                "b": option(
                    "It looks three places back, and at the first token where it cannot.",
                    failure_message="Row 5 looks at place 2 and row 9 at place 6: three places "
                    "back each time. In row 4, three places back is the first token.",
                    misconception="distance-excluded",
                ),
                "c": option(
                    "It looks at earlier occurrences of the current token.",
                    correct=True,
                    success_message="Yes: in row 5 that would be place 1, which has 0.1. It is "
                    "what head 3 does.",
                ),
            },
        ),
        choice(
            "which_text",
            "Two rules are left for head 2. On which text do their maps differ?",
            {
                "a": option(
                    "`S F W B S F W B S`: other tokens, in the same order",
                    failure_message="What followed is three places back here, too, so both rules "
                    "give the same map again.",
                    misconception="other-words",
                ),
                "b": option(
                    "`K Q D M K Q D M K Q D M K`: the same text, but longer",
                    failure_message="What followed stays three places back, however long the text "
                    "is.",
                    misconception="longer-text",
                ),
                "c": option(
                    "`Q D M K Q D M K Q`: the same text, from the second token on",
                    failure_message="The period is still 4, so what followed is three places back "
                    "again.",
                    misconception="later-start",
                ),
                "d": option(
                    "`K Q D M S F K Q D`: the period is 6",
                    correct=True,
                    success_message="Yes: what followed now stands five places back. One rule puts "
                    "the 9 there, the other three places back.",
                ),
            },
        ),
    ],
    hints=[
        "Say in words for each head where the 9 of row 6 stands, as seen from the query `Q`.",
        "Count in each row how many places lie between the query and its 9.",
    ],
    misconceptions={
        "is-behind-a-match": "Head 2 looks three places back in the repeats. A previous-token head "
        "looks one place back in every row.",
        "is-the-match": "In the repeats head 3 looks at the earlier occurrence of the current "
        "token. A previous-token head looks one place back in every row.",
        "is-a-sink": "Head 4 gives every query's weight to the first token: a sink. Only in row 2 "
        "is that the previous token.",
        "over-all-rows": "0.5 divides by all nine queries. The four whose token has not occurred "
        "before have nothing to find, and do not count.",
        "row-9-left-out": "0.72 takes the share of one of the five rows for 0. In row 9 the weight "
        "behind the second `K` counts as well.",
        "in-tenths": "The digits are tenths, so a 9 is a weight of 0.9.",
        "summed": "4.5 is the sum over the five queries. What is asked for is their mean.",
        "halved-last": "Row 9 has 0.9 on one of the two tokens that followed a `K` and 0 on the "
        "other. The two are added, and not averaged.",
    },
)
