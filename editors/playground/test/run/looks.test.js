// The pane that runs cases in every width, after a run.
import { testLayouts } from "../axe.js";
import { playground, nothingElse } from "../browser.js";
import { ok } from "./cases.js";
import { address, model, reply } from "./model.js";
import { openRunPane, endpoint, press, status } from "./pane.js";

const fixture = await playground();
model.answer = (question, response) => reply(response, ok(question));

testLayouts("run-", () => openRunPane(fixture.open), async (page) => {
  await endpoint(page, "");
  await press(page, "Run all 2 cases");
  await status(page, "Done: 2 cases");
});

nothingElse(fixture, { contacted: [address] });
