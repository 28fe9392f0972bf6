// What a run has said, beside what somebody types.
import type { LastGrade, LastResult } from "@rubric-ls/wasm";
import { element } from "../dom";
import { ask } from "../evaluator";
import { same, type Typed } from "../state";
import { number } from "./picture";

/** lastOf is what a case came to when it was run last; nothing if it was not. */
export const lastOf = (document: string, about: string): Promise<LastResult | null> => ask("last", { document, case: about });

/** typedBy are the grades of a run as somebody could have given them. */
export const typedBy = ({ grades }: LastResult): Typed[] =>
  grades.filter((g) => !g.ungraded).map(({ grader, id, turn, satisfied, score, votes, label }) => JSON.parse(JSON.stringify({ grader, id, turn, satisfied, score, votes, label })) as Typed);

/** summary tells of a run in a line; nothing without one. */
export function summary(last: LastResult | null): HTMLElement | null {
  if (!last) return null;
  const { standing, score, stale, judge } = last;
  return element("p", { class: "faint" }, `Last run${judge ? ` (${judge})` : ""}: ${standing}${score === null ? "" : `, score ${number(score)}`}`, stale ? element("span", {}, ". ", element("span", { class: "chip stale" }, "stale"), " what it rests on has changed since") : null, ".");
}

const words = (g: LastGrade): string => {
  if (g.ungraded) return `not judged: ${g.ungraded}`;
  if (g.label) return g.label;
  if (g.votes !== undefined) return `${g.votes} ${g.votes === 1 ? "vote" : "votes"} for it`;
  if (g.turn) return g.satisfied ? "yes" : "no";
  if (g.score !== undefined) return g.id ? `${number(g.score)} of 10` : number(g.score);
  return g.satisfied ? "satisfied" : "not satisfied";
};

/** judged tells what a run said of one thing, and whether that still holds; nothing if it said nothing. */
export function judged(last: LastResult | null, of: Typed): HTMLElement | null {
  const g = last?.grades.find((g) => same(g, of));
  return g ? element("div", { class: "faint judged", dir: "auto" }, `run: ${words(g)} `, g.stale ? element("span", { class: "chip stale" }, "stale") : null, g.reasoning ? ` ${g.reasoning}` : null) : null;
}
