// Prose: kept in the page, and compared by its writer with the rubric. A person grades it.
import { h } from "../../browser/dom.ts";
import type { Asked, Field, Kind } from "../../browser/kind.ts";
import type { Question } from "../../browser/types.ts";
import { waiting } from "../../browser/verdicts.ts";

interface TextQuestion extends Question {
  kind: "text";
}

function field({ quiz, question, place, statement }: Asked<TextQuestion>): Field {
  const rubric = place.querySelector<HTMLDetailsElement>(".ck-rubric")!;
  rubric.hidden = true;
  const area = h("textarea", { class: "ck-prose", rows: "6", "aria-labelledby": statement });
  return {
    label: "Compare with the rubric",
    parts: [area],
    read: () => area.value,
    restore: (answer) => {
      area.value = answer;
    },
    grade: (answer) => {
      const isWritten = answer.trim().split(/\s+/).filter((word) => word !== "").length >= 5;
      rubric.hidden = !isWritten;
      rubric.open = isWritten;
      if (!isWritten) return { missing: "Write your answer first, a sentence at least." };
      const worth = `${question.points} point${question.points === 1 ? "" : "s"}`;
      return waiting(
        quiz,
        question,
        `Your text is kept in this browser. A person grades it (${worth}); which of these does it say?`,
      );
    },
  };
}

export const kind: Kind<TextQuestion> = { field, isProse: true };
