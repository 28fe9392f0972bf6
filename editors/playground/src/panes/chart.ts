// The chart of a score: one column for each part, as wide as its weight and as high as its grade, so that the filled
// area is the score. A text alternative contains everything.
import { element } from "../dom";

/** Column is one part of a score. */
export interface Column {
  name: string;
  weight: number;
  /** 0–1 */
  grade: number;
  /** the grade as text: satisfied, 6 of 10 */
  description: string;
  /** whether it has a gate, and whether the gate fails */
  gate: "none" | "met" | "missed";
  /** there is no grade yet, and `grade` is the best possible one */
  open?: boolean;
}

/** formatNumber rounds to three decimal places, as the evaluator's texts do: below a threshold never up to it. */
export const formatNumber = (x: number): string => {
  const rounded = Math.round(x * 1000) / 1000;
  return String(x < rounded && [0.6, 0.8, 1].includes(rounded) ? Math.round((rounded - 0.001) * 1000) / 1000 : rounded);
};

/** percentText returns a share in percent. */
export const percentText = (part: number, whole: number): string => (whole ? `${Math.round((part / whole) * 1000) / 10} %` : "no share");

/** thresholds are the scores at which the verdict changes. */
export const thresholds = { borderline: 0.6, pass: 0.8 };

/** scoreChart shows columns and their score, and the scores at which the verdict changes. While a grade is open, the score is the maximum. */
export function scoreChart(columns: Column[], score: number, limits: Record<string, number>): HTMLElement {
  const total = columns.reduce((sum, c) => sum + c.weight, 0);
  const descriptions = columns.map((c) => `${c.name}: ${percentText(c.weight, total)} of the weight, ${c.description}${c.gate === "missed" ? ", and its gate is not met" : ""}`);
  const open = columns.some((c) => c.open);
  const plot = element("div", { class: "plot", "aria-hidden": "true" },
    ...columns.map((c) => column(c, percentText(c.weight, total))),
    ...Object.entries(limits).map(([name, at]) => line("limit", at, `${name} ${at}`)), line(open ? "mark open" : "mark", score, open ? `at most ${formatNumber(score)}` : formatNumber(score)));
  return figure("chart", `${descriptions.join("; ")}. Together ${open ? "at most " : ""}${[formatNumber(score), Object.entries(limits).map(([name, at]) => `${name} from ${at}`).join(", ")].filter(Boolean).join("; ")}.`, plot);
}

/** figure returns a figure with a text alternative. */
function figure(kind: string, description: string, ...content: HTMLElement[]): HTMLElement {
  const caption = element("figcaption", { class: "visually-hidden", id: `words-${++figureCount}` }, description);
  return element("figure", { class: kind, "aria-labelledby": caption.id }, caption, ...content);
}

let figureCount = 0;

function column(c: Column, share: string): HTMLElement {
  const created = element("div", { class: `column ${c.open ? "open" : c.gate} ${bandClass(c.grade)}` }, element("div", { class: "fill" }),
    element("span", { class: "name", dir: "auto", title: c.name }, c.name), element("span", { class: "name" }, `${c.description}, ${share}`));
  created.style.flexGrow = String(c.weight);
  created.style.setProperty("--grade", String(c.grade));
  return created;
}

function line(kind: string, at: number, name: string): HTMLElement {
  const created = element("div", { class: kind }, element("span", {}, name));
  created.style.setProperty("--at", String(at));
  return created;
}

/** bandClass is the colour of a grade from 0 to 1, in five steps from fail to pass. */
export const bandClass = (grade: number): string => `step-${Math.min(4, Math.max(0, Math.floor(grade * 5)))}`;

/** Band is a labelled range of scores, 0–10, both ends inclusive. */
interface Band {
  score_range: [number, number];
  expected_outcome: string;
}

/** bandClassOf is the colour of the middle of a band. */
const bandClassOf = ({ score_range: [from, to] }: Band): string => bandClass((from + to) / 20);

/**
 * bandStrip shows a criterion's bands along the scores from 0 to 10, overlapping ones below each other. It marks the
 * score's band and the scores below the required minimum. A click on a number gives that score; keyboards have the slider.
 */
export function bandStrip(bands: Band[], score: number | undefined, minimum: number | undefined, give: (score: number) => void): HTMLElement {
  const contains = (b: Band, x: number | undefined) => x !== undefined && b.score_range[0] <= x && x <= b.score_range[1];
  const cells = Array.from({ length: 11 }, (_, x) => element("span", { class: `cell${x === score ? " here" : ""}${minimum !== undefined && x < minimum ? " below-minimum" : ""}`, onclick: () => give(x) }, String(x)));
  const bars = bands.map((b) => {
    const created = element("span", { class: `band-bar ${bandClassOf(b)}${contains(b, score) ? " here" : ""}` });
    created.style.gridColumn = `${Math.floor(b.score_range[0]) + 1} / ${Math.floor(b.score_range[1]) + 2}`;
    return created;
  });
  const rows = bands.map((b) => element("li", { class: `band ${bandClassOf(b)}${contains(b, score) ? " here" : ""}`, dir: "auto" }, element("b", {}, [...new Set(b.score_range)].join("–")), ` ${b.expected_outcome}`));
  const descriptions = bands.map((b) => `${b.score_range.join(" to ")}: ${b.expected_outcome}`).join("; ");
  return figure("", `bands: ${descriptions}.${minimum === undefined ? "" : ` At least ${minimum} is required.`}`, element("div", { "aria-hidden": "true" }, element("div", { class: "strip" }, ...cells, ...bars), element("ul", { class: "bands" }, ...rows)));
}
