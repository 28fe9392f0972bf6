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

/** errorCount is the number of errors in the file that is shown. */
export const errorCount = ({ findings }: Scene): number => findings().filter((d) => d.severity === 1).length;

/** refusal says that errors keep the file from being run; nothing without errors. */
export function refusal(scene: Scene): Node[] {
  const n = errorCount(scene);
  return n ? [element("p", { class: "error" }, `The file has ${n === 1 ? "1 error" : `${n} errors`}. Nothing runs here until that is fixed. See Problems.`)] : [];
}

let repaint = (): void => undefined;
onFindings(() => queueMicrotask(() => repaint())); // once the page has them, too

/** onErrors has a pane painted again whenever its file has another number of errors. */
export function onErrors(scene: Scene, paint: () => void): void {
  let before = errorCount(scene);
  repaint = () => {
    const now = errorCount(scene);
    if (now !== before) paint();
    before = now;
  };
}
