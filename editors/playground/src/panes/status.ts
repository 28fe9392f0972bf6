// How metrics stand, as ADK names it.
import type { MeasureResult } from "@rubric-ls/wasm";
import { element } from "../dom";

export type Status = MeasureResult["final_eval_status"];

/** look is the verdict that a status looks like. */
export const look: Record<Status, string> = { PASSED: "pass", FAILED: "fail", NOT_EVALUATED: "ungraded" };

/** standing shows a status. */
export const standing = (of: Status): HTMLElement => element("span", { class: `verdict ${look[of]}` }, of);
