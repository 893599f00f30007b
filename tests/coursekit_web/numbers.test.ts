// What people type for numbers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readNumbers } from "../../lib/coursekit/kinds/numeric/numbers.ts";

const reads = (text: string, numbers: number[]) =>
  test(`reads ${JSON.stringify(text)}`, () => {
    assert.deepEqual(readNumbers(text, numbers.length), { numbers });
  });

const pair = [0.42, 0.58];
for (const text of [
  "0.42, 0.58",
  "0.42,0.58",
  "0.42 0.58",
  "(.42 .58)",
  "[0.42, 0.58]",
  "{0.42; 0.58}",
  " ( 0.42 ,\t0.58 ) ",
  "0,42 0,58",
  "0,42; 0,58",
  "0,42, 0,58",
  "(0,42 ; 0,58)",
  "21/50, 58/100",
  "21 / 50  .58",
  "4.2e-1, 58E-2",
  "+0.42, 0.58",
]) {
  reads(text, pair);
}
reads("1/2", [0.5]);
reads("0,5", [0.5]);
reads("1.", [1]);
reads("−1.5, –2", [-1.5, -2]);
reads("1,5", [1, 5]); // two are asked for, so the comma separates
reads("1,5 2,5", [1.5, 2.5]);
reads("1,5 2,5", [1, 5, 2, 5]); // and here four are
reads("-1/3", [-1 / 3]);
for (const text of ["78%", "78 %", "(78 %)", "+78%", "7.8e1%", "78,0%", "7800/100%", "0.39*2", "0,39 × 2"]) {
  if (text === "7800/100%") reads(text, [7800]);
  else reads(text, [0.78]);
}
reads("42%, 58 %", pair);
reads("42% 58%", pair);
for (const text of ["4*32*32", "4 * 32 * 32", "4x32x32", "4 x 32 X 32", "4×32×32", "4·32·32", "(4 × 32 × 32)"]) {
  reads(text, [4096]);
}
reads("12x3", [36]);
reads("10x10", [100]);
reads("-2*−3", [6]);
reads("1/2*3", [1.5]);
reads("3*1/2", [1.5]);
reads("4*32, 12x3", [128, 36]);
reads("4*32 12 x 3", [128, 36]);
reads("1,5*2", [3]);
reads("1,5*2,5", [1, 10, 5]); // three are asked for
reads("1,048,576*2", [2097152]);
reads("131 072 * 2", [262144]);
test("percent stays percent where that is the unit", () => {
  for (const text of ["78%", "78 %", "78"]) assert.deepEqual(readNumbers(text, 1, "%"), { numbers: [78] });
  assert.deepEqual(readNumbers("42%, 58%", 2, "%"), { numbers: [42, 58] });
});

const refuses = (text: string, count: number, ...words: string[]) =>
  test(`refuses ${JSON.stringify(text)} for ${count}`, () => {
    const reading = readNumbers(text, count);
    assert.ok("problem" in reading, JSON.stringify(reading));
    for (const word of words) assert.ok(reading.problem.includes(word), reading.problem);
  });

refuses("", 2, "Nothing is written yet", "two numbers");
refuses("()", 1, "Nothing is written yet", "one number");
refuses("0.42", 2, "You gave one number; expected two numbers, such as 0.1, 0.2.");
refuses("1 2 3", 2, "You gave three numbers");
refuses("0.42, abc", 2, "I cannot read “abc” as a number");
refuses("1/0", 1, "1/0");
refuses("1/2/3", 1, "1/2/3");
refuses("0.4.2", 1, "0.4.2");
refuses("e/(e+1)", 1, "cannot read");
refuses("NaN", 1, "NaN");
refuses("Infinity", 1, "Infinity");
refuses("1e999", 1, "1e999");
refuses("0x10", 1, "0x10");
refuses("-0x10", 1, "0x10");
for (const text of ["4**2", "*4", "4*", "x", "4x", "x4", "4xx2", "4*/2", "%", "%5", "5%%", "4^2", "1/2/3*4", "1,000/0"]) {
  refuses(text, 1, "cannot read");
}
refuses("4*32 32", 1, "You gave two numbers");
reads("1,000.5", [1000.5]);
reads("1,048,576", [1048576]);
reads("131 072", [131072]);
reads("80,000", [80, 0]); // two are asked for
reads("0,250", [0.25]); // no group begins with 0
reads(",25", [0.25]);
reads(",42 ,58", [0.42, 0.58]);
test("one comma before three digits may be a decimal mark", () => {
  assert.deepEqual(readNumbers("2,718", 1), { numbers: [2718], other: 2.718 });
  assert.deepEqual(readNumbers("9,600", 1), { numbers: [9600], other: 9.6 });
  assert.deepEqual(readNumbers("2*1,024", 1), { numbers: [2048], other: 2.048 });
});
refuses("(0.42, 0.58", 2, "cannot read");
