import "./style.css";
import "./thread";
import "./keeping";

// Scripts are run one after the other, each in a task of its own: all at once they
// would hold the page up.
await import("./plain");
await import("./look");
await import("./evaluator");
await import("./begin");
