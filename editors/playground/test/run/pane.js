// Gestures in the Run pane.
import { openFiles, choose } from "../browser.js";
import { cases } from "./cases.js";
import { withoutTimes } from "./command.js";
import { address } from "./model.js";

/** openRunPane opens files and shows the Run pane; the first file is active. */
export async function openRunPane(open, { files = { "x.eval.yaml": cases }, fragment = "", script = watch } = {}) {
  const page = await open(fragment, "", script);
  await openFiles(page, files);
  await page.getByRole("tab", { name: Object.keys(files)[0] }).click();
  await choose(page, "Results");
  await page.locator("#judge option[value=openai]").waitFor({ state: "attached" });
  return page;
}

/** endpoint chooses the model's server, and types a key for it. */
export async function endpoint(page, key) {
  await page.locator("#judge").selectOption("openai");
  await page.getByLabel("Address", { exact: true }).fill(`${address}/v1`);
  await page.getByLabel("Model", { exact: true }).fill("m");
  await page.getByLabel("Key", { exact: true }).fill(key);
}

/** press presses a button. */
export const press = (page, name) => page.getByRole("button", { name }).click();

/** status waits until the pane shows a status of the run. */
export const status = (page, what) => page.locator(".runs > [role=status]").filter({ hasText: what }).waitFor();

/** watch keeps the records that a page comes to, out of its own evaluator's answers. */
function watch() {
  globalThis.records = [];
  const post = Worker.prototype.postMessage;
  const requested = new Set();
  Worker.prototype.postMessage = function (message) {
    if (typeof message === "string" && message.includes('"method":"run"')) {
      requested.add(JSON.parse(message).id);
      if (!this.watched) this.addEventListener("message", ({ data }) => {
        const { id, result } = JSON.parse(data);
        if (requested.has(id) && result && !result.questions.length && !result.programs.length) globalThis.records.push(result.record);
      });
      this.watched = true;
    }
    return post.apply(this, arguments);
  };
}

/** shown are the records that a page has come to. */
export const shown = async (page) => (await page.evaluate(() => globalThis.records)).map(withoutTimes);
