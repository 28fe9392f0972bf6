// What a run comes to, here or by the local server, is in the Verdict and beside the
// criteria, and each grade is stale once what it rests on is another.
import { test } from "node:test";
import { accessible } from "./axe.js";
import { openFiles, choose, pane, playground, nothingElse, paneShows, settles, write } from "./browser.js";
import { banking } from "./texts.js";

const file = `evalcases:
  - id: a
    expected_outcome: Greets and thanks
    input: Say it
    expected_output: Hello and welcome
    rubrics:
      - { id: one, expected_outcome: Has over 2 words, required: false }
      - { id: two, expected_outcome: Has over 5 words, required: false }
`;

const fixture = await playground({ serviceWorkers: "allow" });
const { open, site } = fixture;

const hint = (page, line, what) => page.locator(".cm-line", { hasText: line }).locator(".cm-hint", { hasText: what }).waitFor();
const row = (page, id) => page.locator(".grade", { has: page.locator("code", { hasText: id }) });

for (const judge of ["offline", "live"]) {
  test(`by the judge ${judge}: the Verdict pane adopts the grades, and each becomes stale by itself`, async () => {
    const page = await open(site.address.hash.slice(1));
    await openFiles(page, { "x.eval.yaml": file });
    await choose(page, "Results");
    await page.locator("#judge").selectOption(judge);
    if (judge === "live") await pane(page).getByText(`at ${site.address.host}`).waitFor();
    await page.getByRole("button", { name: "Run case a" }).click();
    await page.locator(".runs [role=status]", { hasText: "Done: 1 case" }).waitFor();
    await hint(page, "id: one", /^satisfied$/);
    await hint(page, "id: two", /^not satisfied$/);
    await choose(page, "Score");
    await paneShows(page, /last run \((judge: )?offline\)/i);
    await row(page, "one").getByText("run: satisfied").waitFor();
    await row(page, "two").getByText("run: not satisfied").waitFor();
    await settles(() => page.locator("#grade-rubric-one").isChecked(), true);
    await settles(() => page.locator("#grade-rubric-two").isChecked(), false);
    await settles(() => page.locator(".chip.stale").count(), 0);

    await write(page, file.replace("Has over 2 words", "Counts over 2 words"));
    await hint(page, "id: one", /^satisfied \(stale\)$/);
    await hint(page, "id: two", /^not satisfied$/);
    await row(page, "one").locator(".chip.stale").waitFor();
    await settles(() => row(page, "two").locator(".chip.stale").count(), 0);
    await paneShows(page, "what it rests on has changed since");
    await accessible(page);

    await page.locator("#grade-rubric-two").check(); // a grade of one's own stands beside the run's
    await paneShows(page, "pass score 1");
    await row(page, "two").getByText("run: not satisfied").waitFor();
    await page.close();
  });
}

test("the local server measures an evalset with the other open files", async () => {
  const page = await open(site.address.hash.slice(1));
  await openFiles(page, banking);
  await page.getByRole("tab", { name: "banking.evalset.json" }).click();
  await choose(page, "Results");
  await page.locator("#judge").selectOption("live");
  await pane(page).getByText(`at ${site.address.host}`).waitFor();
  await page.getByRole("button", { name: "Run case checks_then_transfers" }).click();
  await page.locator(".runs [role=status]", { hasText: "Done: 1 case" }).waitFor();
  await page.locator(".cm-hint", { hasText: /^2 of 7 metrics passed$/ }).first().waitFor();
  await choose(page, "Score");
  await paneShows(page, /last run \((judge: )?offline\)/i);
  await settles(() => page.locator(".chip.stale").count(), 0);
  await page.close();
});

test("a configuration opened during a measurement makes the result stale", async () => {
  const page = await open(site.address.hash.slice(1), "", () => {
    globalThis.WebSocket = class extends WebSocket {
      set onmessage(hear) {
        super.onmessage = (event) => void (event.data.includes('"records":') ? (globalThis.release = () => hear(event)) : hear(event));
      }
    };
  });
  await openFiles(page, { "banking.evalset.json": banking["banking.evalset.json"] });
  await choose(page, "Results");
  await page.locator("#judge").selectOption("live");
  await pane(page).getByText(`at ${site.address.host}`).waitFor();
  await page.getByRole("button", { name: "Run case checks_then_transfers" }).click();
  await page.waitForFunction(() => globalThis.release);
  await openFiles(page, { "test_config.json": banking["test_config.json"] });
  await page.getByRole("tab", { name: "test_config.json", selected: true }).waitFor();
  await page.evaluate(() => globalThis.release());
  await page.getByRole("tab", { name: "banking.evalset.json" }).click();
  await page.locator(".runs [role=status]", { hasText: "Done: 1 case" }).waitFor({ state: "attached" });
  await choose(page, "Score");
  await paneShows(page, "stale what it rests on has changed since");
  await page.close();
});

nothingElse(fixture);
