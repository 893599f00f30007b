"""A team builds a system that summarises reports of 20 to 60 pages. It is choosing between three
plans: (1) give the whole report to a language model with *full* attention and a context of 128,000
tokens; (2) use a model most of whose layers have sliding windows or a state of fixed size, with a
few full layers between; (3) cut the report into sections, look up the few that fit the request, and
let a small model read only these.
"""

from coursekit import quiz

quiz(
    version=2,
    title="Case study: summaries of long documents",
    hints=[
        "Which tokens of page 2 can the word that is being written attend to under each plan?",
        "How many scores does one head compute for 40,000 tokens?",
        "[](windows.md) and [](attention-memory.md) measure what windows and states lose, "
        "[](fast-exact.md) the cache, and [](positions.md) what happens beyond the trained length.",
    ],
    questions=r"""
## advice
Advise the team in about a page. What can the word that is being written see under each plan, what
does the plan cost, and what may it lose? How should the team find out which plan is right for its
reports?
- [1] Says what full attention gives: each word that is written can read every token of the report
  directly, however far back it stands.
- [1] Names what full attention costs, with a number: scores for every pair of tokens, or a cache of
  keys and values that grows with the length.
- [1] Says how plan 2 saves, and what can get lost: a window passes far tokens on only through other
  layers, or a state of fixed size has to choose what to keep before it knows the question. (That it
  *cannot* hold the content is not shown, and earns nothing.)
- [1] Says what plan 3 does: what the lookup leaves out cannot be attended to at all, such as a
  statement that only two sections together support.
- [1] Says that a length which a model accepts need not be one that it uses well: it may get worse
  at lengths, or with facts at places, that were rare in training.
- [1] Proposes how to decide: a comparison of the plans on the team's own reports, with what is
  counted in it and a result that would change the advice.
### weak (1, 0, 0, 1, 0, 0)
The team should take plan 1, because with 128,000 tokens the whole report fits and attention sees
everything at once. The other plans are older tricks from a time when contexts were short. A state
of fixed size cannot hold 60 pages, and with sections the model does not see everything.
> “Sees everything at once” barely earns the point for direct access, and the end of the last
> sentence earns the one for plan 3. That a state *cannot* hold the content is said, not shown.
> There is nothing on cost, on whether the model uses what it is given, or on how to check.
### good (1, 1, 1, 1, 0, 0)
With plan 1 every word of the summary attends to all 40,000 tokens, so a name or a number can be
taken from where it stands. The price is 1.6 billion scores for each head and layer while the report
is read, and a cache of keys and values for 40,000 tokens in every layer. Plan 2 pays less: most
layers read only a window, and what stands farther back arrives through the few full layers or in
mixtures. Plan 3 is the cheapest. But what the lookup does not find is gone, for instance a risk
that page 4 mentions and page 50 withdraws. I would begin with plan 1 and change only if it is too
slow.
> Access, cost and losses of all three plans are right, with numbers. What is missing: a context
> that is accepted need not be used well, and the team gets no way to find out whether the advice
> holds for its reports.
### excellent (1, 1, 1, 1, 1, 1)
Sixty pages are about 40,000 tokens. In plan 1 each word that is written can attend to every one of
them; reading the report costs 1.6 billion scores for each head and layer (block by block they need
not be stored, but they take time), and the cache grows with every token. In plan 2 a layer with a
window of 1,000 keys computes a fortieth of these scores, and a layer with a state keeps no cache at
all. But the state must choose what to keep before it knows what the summary will need, so names and
numbers from early pages depend on the full layers. In plan 3 the small model sees a few sections
only: good for questions answered in one place, bad where a judgement rests on several. That a model
accepts 128,000 tokens does not show that it uses them; I would put the same fact on page 2, 30 and
58 and count. Then I would compare all three on 200 of your own reports, with a fourth that reads
only the first pages, a cheap and strong rival. Let readers count wrong and missing facts, by length
and by page, and note cost and time. If plan 3 misses no more than plan 1, take plan 3.
> It says what each plan lets a word see, puts numbers on the cost, tests whether the length is
> used, and ends with a comparison that could go against the advice.
""",
)
