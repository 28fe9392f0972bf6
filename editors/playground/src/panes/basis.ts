// What the grades on the screen rest on, and what keeps a case from being run.
import type { LastResult } from "@rubric-ls/wasm";
import { element } from "../dom";
import { onFindings } from "../findings";
import { same, type Typed } from "../state";
import { typedBy } from "./last";
import type { Scene } from "./pane";

/** Basis is where the grades of a case come from: nowhere yet, the last run, or a person. */
export type Basis = "none" | "run" | "person";

const equal = (a: Typed, b: Typed): boolean => same(a, b) && a.satisfied === b.satisfied && a.score === b.score && a.votes === b.votes && a.label === b.label;

/** basisOf compares the grades that are given with those of the last run. */
export function basisOf(given: Typed[], last: LastResult | null): Basis {
  const run = last ? typedBy(last) : [];
  if (last && given.every((t) => run.some((g) => equal(g, t))) && run.every((g) => !isShown(g, given) || given.some((t) => equal(g, t)))) return "run";
  return given.length ? "person" : "none";
}

/** isShown tells grades of the kind that `given` has: an evalset's have a turn. */
const isShown = (g: Typed, given: Typed[]): boolean => !given.length || given.some((t) => (t.turn === undefined) === (g.turn === undefined));

/** pill is a word about a verdict; the kind `open` is neutral, for what is not judged. */
export const pill = (kind: string, text: string): HTMLElement => element("span", { class: `verdict ${kind}` }, text);

/** errorsIn counts the errors in the text of the case that is shown, and those elsewhere in its file. */
export function errorsIn({ cases, about, findings }: Scene): { own: number; other: number } {
  const lines = findings().filter((d) => d.severity === 1).map((d) => d.range.start.line);
  const from = cases.find((c) => c.id === about?.id)?.line ?? 0;
  const to = Math.min(...cases.map((c) => c.line).filter((line) => line > from));
  const own = lines.filter((line) => from <= line && line < to).length;
  return { own, other: lines.length - own };
}

const counted = (n: number): string => (n === 1 ? "1 error" : `${n} errors`);

/** refusal says that errors keep the case from being run; nothing without errors. */
export function refusal(scene: Scene): Node[] {
  const { own, other } = errorsIn(scene);
  if (own) return [element("p", { class: "error" }, `${counted(own)}: the runner refuses this case. See Problems.`)];
  if (other) return [element("p", { class: "faint" }, `The file has ${counted(other)} elsewhere. Nothing runs here until that is fixed.`)];
  return [];
}

let repaint = (): void => undefined;
onFindings(() => queueMicrotask(() => repaint())); // once the page has them, too

/** onErrors has a pane painted again whenever its case, or the rest of its file, has another number of errors. */
export function onErrors(scene: Scene, paint: () => void): void {
  let before = JSON.stringify(errorsIn(scene));
  repaint = () => {
    const now = JSON.stringify(errorsIn(scene));
    if (now !== before) paint();
    before = now;
  };
}
