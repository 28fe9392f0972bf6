import "./style.css";
import { say } from "./dom";
import { ask, connect } from "./evaluator";
import { first } from "./examples";
import { unpack } from "./link";
import { keepOffline } from "./offline";
import { Page } from "./page";
import { beginning, type State } from "./state";
import { kept } from "./store";

/** begin is what to show first: what a link holds, what was there last, or an example. */
async function begin(evaluator: string): Promise<State> {
  try {
    const link = await unpack(location.hash.slice(1));
    if (link) {
      if (link.evaluator !== evaluator) say(`This link was made with evaluator ${link.evaluator}; this is ${evaluator}, whose results may differ.`);
      return link.state;
    }
  } catch (fault) {
    say(fault instanceof Error ? fault.message : String(fault));
  }
  return (await kept()) ?? beginning(first);
}

document.documentElement.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
await connect();
const { version } = await ask("version", {});
new Page(await begin(version), version);
document.documentElement.dataset.ready = "yes";
void keepOffline();
