// How much of the evaluator has been loaded.
import { elementById, element, showStatus } from "./dom";

/** Progress is the share of a module that has been loaded, in percent, and whether that takes long. */
export interface Progress {
  share: number;
  slow: boolean;
}

let isAnnounced = false; // that the whole evaluator is loading

/** showProgress shows the share of the evaluator that the page starts with, and says once that the whole one is loading. */
export function showProgress({ share, slow }: Progress): void {
  const bar = document.querySelector<HTMLProgressElement>("#loading progress");
  if (bar) bar.value = share;
  else if (slow && !isAnnounced && document.documentElement.dataset.ready) {
    isAnnounced = true;
    showStatus("The rest of the evaluator is loading: it runs cases, drafts criteria and applies JSON Schemas.");
  }
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
