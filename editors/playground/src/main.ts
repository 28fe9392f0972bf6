import "./style.css";
import "./theme";
import "./evaluator-worker";
import "./background";
import { elementById, element } from "./dom";

// Each import runs in a task of its own, so that the page stays responsive.
try {
  await import("./sanitize");
  await import("./editor-theme");
  await import("./evaluator");
  await import("./start");
} catch (error) {
  elementById("pane").replaceChildren(
    element("p", { class: "error", role: "alert" }, `A part of the page could not be loaded: ${error instanceof Error ? error.message : error}`),
    element("button", { type: "button", class: "primary", onclick: () => location.reload() }, "Retry"));
  throw error;
}
