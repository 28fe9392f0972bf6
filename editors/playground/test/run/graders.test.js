// Graders that are WebAssembly run in the page, shut in.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pane, playground, nothingElse } from "../browser.js";
import { cases } from "./cases.js";
import { ran } from "./command.js";
import { infiniteLoop, outputBomb, memoryBomb } from "./hostile.js";
import { openRunPane, press, shown, status } from "./pane.js";

const fixture = await playground();

/** codeGraderFile returns a file with a code grader for case b. */
const codeGraderFile = (script) => cases.replace("    rubrics:\n      - { id: three, expected_outcome: Mentions “More” }\n", `    evaluators:\n      - { name: code, type: code_judge, script: [${script}] }\n`);

/** judge begins with some files, and runs case b. */
async function judge(files) {
  const page = await openRunPane(fixture.open, { files });
  await page.locator("#case").selectOption("b");
  await press(page, "Run case b");
  return page;
}

test("a grader gives the same result as on the command line", async () => {
  const files = { "x.eval.yaml": codeGraderFile("brief.wasm"), "brief.wasm": readFileSync("../../wasm/graders/brief/brief.wasm") };
  const page = await openRunPane(fixture.open, { files });
  await pane(page).getByText("Code graders that are open: brief.wasm").waitFor();
  await press(page, "Run all 2 cases");
  await status(page, "Done: 2 cases");
  assert.deepEqual(await shown(page), await ran(files, ["--judge", "offline"]));
  await page.close();
});

for (const [name, module, want] of [["that never ends", infiniteLoop, /timed out after/], ["that floods", outputBomb, /printed more than 8 MiB/], ["that takes all memory", memoryBomb, /crashed/]]) {
  test(`one ${name} is stopped, and is ungraded`, async () => {
    const page = await judge({ "x.eval.yaml": codeGraderFile("bad.wasm"), "bad.wasm": module });
    await status(page, "Done: 1 case: 1 ungraded");
    await pane(page).getByText(want).first().waitFor();
    await page.close();
  });
}

test("cancelling stops an endless grader", async () => {
  const page = await judge({ "x.eval.yaml": codeGraderFile("bad.wasm"), "bad.wasm": infiniteLoop });
  await status(page, "1 being asked");
  await press(page, "Cancel");
  await status(page, "Cancelled after 1 of 1: 1 ungraded");
  await page.close();
});

test("a missing grader is reported", async () => {
  const page = await judge({ "x.eval.yaml": codeGraderFile("none.wasm") });
  await status(page, "Done: 1 case: 1 ungraded");
  await pane(page).getByText("none.wasm: is not open here").first().waitFor();
  await page.close();
});

test("a grader that is no module cannot run on the page, which says what to type instead", async () => {
  const assertions = `prompts: ["Say {{word}}"]\nproviders: [echo]\ntests:\n  - { vars: { word: hello }, assert: [{ type: javascript, value: "file://check.js" }, { type: python, value: "file://check.py" }] }\n`;
  for (const files of [{ "x.eval.yaml": codeGraderFile("python3, check.py") }, { "promptfooconfig.yaml": assertions }]) {
    const page = await openRunPane(fixture.open, { files });
    await page.locator("#run-all").click();
    await status(page, "1 ungraded");
    await page.getByRole("note").filter({ hasText: /: programs run only with rubric run FILE --allow-exec\s*The page starts no programs\. Type this on your machine, with the name of the file\./ }).waitFor();
    await page.close();
  }
});

nothingElse(fixture);
