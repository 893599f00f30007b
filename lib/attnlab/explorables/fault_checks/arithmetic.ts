// What a log must not show. Each check knows something of the data, and nothing of the program.
import type { Vector } from "../math.ts";

/** How far below the lowest loss a finite text may be by chance. */
const SLACK = 0.02;
/** The share of decoded tokens that a trained model gets right at least. */
export const WELL = 0.9;

/** Which checks raise the alarm: the loss is lower than the data allow, worse than guessing; bad text. */
export const alarms = (heldOut: number, decoded: number, [lowest, blind]: Vector): boolean[] => [
  heldOut < lowest! - SLACK,
  heldOut > blind!,
  decoded < WELL,
];
