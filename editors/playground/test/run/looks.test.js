// The pane that runs cases in every width, after a run.
import { everywhere } from "../axe.js";
import { playground, quiet } from "../browser.js";
import { good } from "./cases.js";
import { address, model, reply } from "./model.js";
import { begin, endpoint, press, status } from "./pane.js";

const there = await playground();
model.answer = (question, response) => reply(response, good(question));

everywhere("run-", () => begin(there.open), async (page) => {
  await endpoint(page, "");
  await press(page, "Run all 2 cases");
  await status(page, "Done: 2 cases");
});

quiet(there, { asked: [address] });
