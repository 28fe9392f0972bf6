// Cases are run from the text: by the line above them, and by a key.
import { test } from "node:test";
import { accessible } from "../axe.js";
import { pane, playground, nothingElse } from "../browser.js";
import { openRunPane, status } from "./pane.js";

const fixture = await playground();

test("a case is run from the line above it, by a key, and all from the first line", async () => {
  const page = await openRunPane(fixture.open);
  const lens = page.locator("#editor .host:not([hidden]) .cm-lenses");
  await lens.nth(2).getByText("Run case").click();
  await status(page, "Done: 1 case");
  await pane(page).getByRole("row", { name: /^\w+ b / }).waitFor();
  await lens.nth(2).getByText(/^(pass|borderline|fail), score/).waitFor(); // and tells what came of it
  await page.locator("#editor .host:not([hidden]) .cm-line", { hasText: "Says it" }).first().click();
  await page.keyboard.press("Control+Shift+Enter");
  await pane(page).getByRole("row", { name: /^\w+ a / }).waitFor();
  await status(page, "Done: 1 case");
  await lens.nth(0).getByText("Run file").click();
  await status(page, "Done: 2 cases");
  await accessible(page);
  await page.close();
});

nothingElse(fixture);
