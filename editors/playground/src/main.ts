import "./style.css";
import "./evaluator-worker";
import "./background";

// Each import runs in a task of its own, so that the page stays responsive.
await import("./sanitize");
await import("./editor-theme");
await import("./evaluator");
await import("./start");
