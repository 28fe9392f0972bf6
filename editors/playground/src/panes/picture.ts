// What a verdict is made of, as a picture: a column for each part, as wide as its
// weight and filled as high as its grade, so that the filled part of the whole is
// the score. Everything in it is in its text alternative as well.
import { element } from "../dom";

/** Column is a part of a score. */
export interface Column {
  name: string;
  weight: number;
  /** 0–1 */
  grade: number;
  /** the grade in words: satisfied, 6 of 10 */
  words: string;
  /** whether it has a gate, and it is not met */
  gate: "none" | "met" | "missed";
  /** whether there is no grade yet: `grade` is then the best that it can be */
  open?: boolean;
}

/** number is a number as it is read: at most four digits after the point. */
export const number = (x: number): string => String(Math.round(x * 10000) / 10000);

/** percent is a part of a whole, in words. */
export const percent = (part: number, whole: number): string => (whole ? `${Math.round((part / whole) * 1000) / 10} %` : "no share");

/** limits are the scores from which a verdict is another. */
const limits = { borderline: 0.6, pass: 0.8 };

/** picture shows columns, and the score that they come to: the most that it can be while a grade is open. */
export function picture(columns: Column[], score: number): HTMLElement {
  const total = columns.reduce((sum, c) => sum + c.weight, 0);
  const told = columns.map((c) => `${c.name}: ${percent(c.weight, total)} of the weight, ${c.words}${c.gate === "missed" ? ", and its gate is not met" : ""}`);
  const open = columns.some((c) => c.open);
  const plot = element("div", { class: "plot", "aria-hidden": "true" },
    ...columns.map((c) => column(c, percent(c.weight, total))),
    ...Object.entries(limits).map(([name, at]) => line("limit", at, name)), line(open ? "mark open" : "mark", score, open ? `at most ${number(score)}` : number(score)));
  return figure("picture", `${told.join("; ")}. Together ${open ? "at most " : ""}${number(score)}; borderline from ${limits.borderline}, pass from ${limits.pass}.`, plot);
}

/** figure is a picture with its words, which are text and no attribute: they may be anything. */
function figure(kind: string, words: string, ...shown: HTMLElement[]): HTMLElement {
  const caption = element("figcaption", { class: "unseen", id: `words-${++figures}` }, words);
  return element("figure", { class: kind, "aria-labelledby": caption.id }, caption, ...shown);
}

let figures = 0;

function column(c: Column, share: string): HTMLElement {
  const made = element("div", { class: `column ${c.open ? "open" : c.gate}` }, element("div", { class: "fill" }), element("span", { class: "name", dir: "auto" }, c.name), element("span", { class: "name" }, share));
  made.style.flexGrow = String(c.weight);
  made.style.setProperty("--grade", String(c.grade));
  return made;
}

function line(kind: string, at: number, name: string): HTMLElement {
  const made = element("div", { class: kind }, element("span", {}, name));
  made.style.setProperty("--at", String(at));
  return made;
}

/** Range is a labelled stretch of scores, 0–10, both ends inclusive. */
interface Range {
  score_range: [number, number];
  expected_outcome: string;
}

/**
 * strip shows a criterion's bands along the scores from 0 to 10: those that
 * overlap below each other, the one of the score marked if there is one, and what a gate refuses.
 */
export function strip(bands: Range[], score: number | undefined, minimum: number | undefined): HTMLElement {
  const within = (b: Range, x: number | undefined) => x !== undefined && b.score_range[0] <= x && x <= b.score_range[1];
  const cells = Array.from({ length: 11 }, (_, x) => element("span", { class: `cell${x === score ? " here" : ""}${minimum !== undefined && x < minimum ? " refused" : ""}` }, String(x)));
  const stretches = bands.map((b) => {
    const made = element("span", { class: `stretch${within(b, score) ? " here" : ""}` });
    made.style.gridColumn = `${Math.floor(b.score_range[0]) + 1} / ${Math.floor(b.score_range[1]) + 2}`;
    return made;
  });
  const rows = bands.map((b) => element("li", { class: `band${within(b, score) ? " here" : ""}`, dir: "auto" }, element("b", {}, [...new Set(b.score_range)].join("–")), ` ${b.expected_outcome}`));
  const told = bands.map((b) => `${b.score_range.join(" to ")}: ${b.expected_outcome}`).join("; ");
  return figure("", `bands: ${told}.${minimum === undefined ? "" : ` At least ${minimum} is required.`}`, element("div", { "aria-hidden": "true" }, element("div", { class: "strip" }, ...cells, ...stretches), element("ul", { class: "bands" }, ...rows)));
}
