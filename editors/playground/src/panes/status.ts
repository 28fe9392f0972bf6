// The status of ADK's metrics.
import type { MeasureResult } from "@rubric-ls/wasm";
import { element } from "../dom";

export type Status = MeasureResult["final_eval_status"];

/** verdictClass is the CSS class of a status. */
export const verdictClass: Record<Status, string> = { PASSED: "pass", FAILED: "fail", NOT_EVALUATED: "ungraded" };

/** statusBadge shows a status. */
export const statusBadge = (status: Status): HTMLElement => element("span", { class: `verdict ${verdictClass[status]}` }, status);
