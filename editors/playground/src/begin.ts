// What is shown first. The text can be edited at once; what the evaluator says of
// it follows.
import { compare } from "./compare";
import { say } from "./dom";
import { ask, connect } from "./evaluator";
import { first } from "./examples";
import { kept, unpack } from "./keeping";
import type { Link } from "./link";
import { keepOffline } from "./offline";
import { Page } from "./page";
import { beginning } from "./state";

/** linked is what the address holds; what is wrong with it is said. */
async function linked(): Promise<Link | undefined> {
  try {
    return await unpack(location.hash.slice(1));
  } catch (fault) {
    say(fault instanceof Error ? fault.message : String(fault));
    return undefined;
  }
}

document.documentElement.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
const link = await linked();
const state = link?.state ?? (await kept().catch(() => undefined)) ?? beginning(first);
const opened = Page.open(state);
await connect();
const { version } = await ask("version", {});
const page = await opened;
page.evaluator = version;
document.documentElement.dataset.ready = "yes";
if (link) void compare(link, version, page.untouched);
void keepOffline();
