// How much of the evaluator has been loaded.
import { elementById, element } from "./dom";

/** showProgress shows the share in percent. */
export function showProgress(share: number): void {
  const bar = document.querySelector<HTMLProgressElement>("#loading progress");
  if (bar) bar.value = share;
}

/** showLoadError says in the results why the evaluator is not there. */
export function showLoadError(reason: string, retry: () => void): void {
  elementById("pane").replaceChildren(element("div", { class: "empty" },
    element("p", { class: "error", role: "alert" }, `The evaluator could not be loaded: ${reason}.`),
    element("p", {}, "The text can be edited and is saved. A proxy may block files that end in .wasm."),
    element("button", { type: "button", class: "primary", onclick: retry }, "Retry")));
}

/** showLoading shows the progress of the evaluator in the results. */
export const showLoading = (): void => elementById("pane").replaceChildren(element("div", { id: "loading", class: "empty" }, element("label", {}, "Loading the evaluator. ", element("progress", { max: 100, value: 0 }))));
