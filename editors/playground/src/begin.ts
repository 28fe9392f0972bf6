// What is shown first. The text can be edited at once; what the evaluator says of
// it follows.
import { pause, say } from "./dom";
import { ask, connect } from "./evaluator";
import { first } from "./examples";
import { unpack, type Link } from "./link";
import { keepOffline } from "./offline";
import { Page } from "./page";
import { differences, resultsOf } from "./results";
import { beginning } from "./state";
import { kept } from "./store";

/** linked is what the address holds; what is wrong with it is said. */
async function linked(): Promise<Link | undefined> {
  try {
    return await unpack(location.hash.slice(1));
  } catch (fault) {
    say(fault instanceof Error ? fault.message : String(fault));
    return undefined;
  }
}

/** few is how many differences are said. */
const few = 6;

/** compare says whether something else is said of what is in a link than where it was made; an evaluator of the same version may, if a run was before it there. */
async function compare({ state, evaluator, results }: Link, version: string): Promise<void> {
  const others = differences(results, await resultsOf(state));
  const apart = evaluator === version ? "" : `This link was made with evaluator ${evaluator}, and this is ${version}: `;
  const more = others.length > few ? `; and ${others.length - few} more` : "";
  if (others.length) say(`${apart || "Here "}the results differ. ${others.slice(0, few).join("; ")}${more}.`);
  else if (apart) say(`${apart}the results are the same.`);
}

document.documentElement.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
const link = await linked();
const state = link?.state ?? (await kept()) ?? beginning(first);
await pause(); // a long one has just been read
const page = new Page(state);
performance.mark("usable");
await connect();
const { version } = await ask("version", {});
page.evaluator = version;
document.documentElement.dataset.ready = "yes";
if (link) void compare(link, version);
void keepOffline();
