// What comes of a text, pane by pane.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { accessible, screenshot } from "./axe.js";
import { choose, openFiles, textSaved, pane, playground, nothingElse, paneShows, settles, share, uncheck, write } from "./browser.js";
import { twoCriteria } from "./texts.js";

const fixture = await playground();
const { open } = fixture;

test("the verdict, gates and flips follow the grades", async () => {
  const page = await open();
  await write(page, twoCriteria);
  await choose(page, "Score");
  await page.getByRole("slider", { name: "two" }).waitFor(); // what was there before it passes with 1, too
  await paneShows(page, "Not judged yet If every criterion is met: pass, score 1.");
  await uncheck(page.getByRole("checkbox", { name: "satisfied" }));
  await paneShows(page, "fail score 0.25 hypothetical Your grades; not run yet.");
  await paneShows(page, "Set one to satisfied: pass, score 1");
  await page.getByRole("slider", { name: "two" }).fill("0");
  await paneShows(page, /fail score 0(?!\.)/);
  await textSaved(page, '"score":0}');
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await paneShows(page, /fail score 0(?!\.)/); // it was kept
  await page.close();
});

test("the page opens on a near miss that one button turns into a pass", async () => {
  const page = await open();
  await paneShows(page, /fail score 0.733 hypothetical The example's grades; not run yet.\s*Click this to change the verdict:\s*Set faults to 7: pass, score 0.8\s*Near miss: 1 point more would pass. faults is 6, and 7 is enough.\s*Run this case offline/);
  await paneShows(page, "A gate that is not met fails the case, whatever the score.");
  await paneShows(page, "faults (at least 7): not met");
  await page.locator(".cm-line", { hasText: "id: summarise-review" }).waitFor(); // the first case
  await paneShows(page, "The answer that a run would grade: the file's expected outputThe kettle boils fast");
  await settles(() => page.getByRole("tab", { name: /^Problems/ }).textContent(), "Problems"); // and no finding
  await pane(page).locator(".strip .cell", { hasText: /^0$/ }).first().click(); // the numbers of the scale give a grade
  await paneShows(page, "Not close: faults is 0 and has to be 7, 7 points more, before the case passes.");
  await settles(() => pane(page).getByText("Near miss").count(), 0);
  await page.getByRole("button", { name: "Set faults to 7: pass, score 0.8" }).click();
  await paneShows(page, "pass score 0.8 hypothetical Your grades; not run yet.");
  await settles(() => page.getByRole("slider", { name: "faults" }).inputValue(), "7");
  await settles(() => page.evaluate(() => document.activeElement.textContent), "Set faults to 6: fail, score 0.733"); // which takes it back
  await settles(() => pane(page).getByText("Near miss").count(), 0);

  await paneShows(page, "The text is checked literally; no model is asked.");
  await page.getByRole("button", { name: "Choose a judge" }).click();
  await settles(() => page.evaluate(() => document.activeElement.id), "judge");
  await choose(page, "Score");
  const pressed = await page.getByRole("button", { name: "Run this case offline" }).evaluate((button) => (button.click(), [button.textContent, button.disabled])); // which shows the verdict here, and keeps the grades
  assert.deepEqual(pressed, ["Running…", true]);
  await page.getByRole("status").filter({ hasText: /^Done: 1 case: 1 fail\.\s*$/ }).waitFor(); // of a text that has not changed
  await paneShows(page, "fail score 0.733 in the last run (judge: offline)");
  await settles(() => page.evaluate(() => document.activeElement.id), "pane");
  await page.getByRole("button", { name: "Back to the grades before the run" }).click();
  await paneShows(page, "pass score 0.8 hypothetical Your grades, not those of the run.");
  await page.getByRole("button", { name: "Back to the run's grades" }).click();
  await paneShows(page, "fail score 0.733 in the last run");
  await choose(page, "Results");
  await paneShows(page, "Answers: the expected ones in the file; no chatbot was asked. Judge: literal checks, without a model.");
  await paneShows(page, "The grades that summarise-review had before the run are kept");
  await settles(() => page.locator(".grid .cell-grade").evaluateAll((all) => all.map((e) => [e.textContent, e.className])), [["6 of 10", "cell-grade step-0"], ["10 of 10", "cell-grade step-4"]]); // the first fails by its gate
  await page.getByRole("button", { name: "Try a better answer" }).click();
  await paneShows(page, "Make it better: add what a criterion asks for. Then run the case and see which grades rise.");
  await page.getByRole("textbox", { name: "Answer" }).fill("The kettle is fine.");
  await page.getByRole("button", { name: "Run case summarise-review" }).click();
  await page.locator(".runs [role=status]", { hasText: "Done: 1 case: 1 fail" }).waitFor();
  await paneShows(page, "Answers: typed here for summarise-review; no chatbot was asked.");
  await choose(page, "Score");
  await paneShows(page, "The answer that the run graded: typed in ResultsThe kettle is fine.");
  await page.close();
});

test("a run of all cases does not contradict the first example, and a better answer passes", async () => {
  const page = await open();
  await paneShows(page, "fail score 0.733 hypothetical The example's grades");
  const grades = () => page.getByRole("slider").evaluateAll((all) => all.map(({ value }) => value)), shown = await grades();
  await page.locator("#run-all").click();
  await page.locator(".runs [role=status]", { hasText: "Done: 5 cases: 4 pass, 1 fail" }).waitFor();
  await settles(() => pane(page).getByText("are kept").count(), 0); // the run gives the grades of the example
  await choose(page, "Score");
  await paneShows(page, "fail score 0.733 in the last run (judge: offline)");
  await settles(grades, shown);
  await page.locator(".cm-line", { hasText: "expected_output: The kettle" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.type(", and support took two weeks to answer.");
  await paneShows(page, "stale what it rests on has changed since");
  await page.getByRole("button", { name: "Run this case offline" }).click();
  await paneShows(page, "pass score 0.8 in the last run (judge: offline)");
  await page.locator("#status", { hasText: "Done: 1 case: 1 pass." }).waitFor();
  assert.doesNotMatch(await page.locator("#status").textContent(), /stale/);
  await page.close();
});

test("grades say whose they are", async () => {
  const page = await open();
  await paneShows(page, "hypothetical The example's grades; not run yet.");
  await page.getByRole("slider", { name: "faults" }).fill("5");
  await paneShows(page, "hypothetical Your grades; not run yet.");
  await share(page, "Copy link");
  await page.getByRole("status").filter({ hasText: "The link is copied" }).waitFor();
  const linked = await open(new URL(await page.evaluate(() => navigator.clipboard.readText())).hash.slice(1));
  await paneShows(linked, "fail score 0.667 hypothetical Grades from the link; not run here yet.");
  await linked.getByRole("button", { name: "Run this case offline" }).click();
  await paneShows(linked, "fail score 0.733 in the last run");
  await linked.getByRole("button", { name: "Back to the grades before the run" }).click();
  await paneShows(linked, "Grades from the link, not those of the run.");
  await linked.getByRole("slider", { name: "faults" }).fill("4");
  await paneShows(linked, "Your grades, not those of the run.");
  await linked.getByRole("button", { name: "Back to the run's grades" }).click();
  await share(linked, "Copy link");
  await linked.getByRole("status").filter({ hasText: "The link is copied" }).waitFor();
  const again = await open(new URL(await linked.evaluate(() => navigator.clipboard.readText())).hash.slice(1));
  await paneShows(again, "fail score 0.733 hypothetical Grades from the link, of a run elsewhere; not run here yet.");
  await again.locator(".cm-line", { hasText: "its lid broke after a month." }).click();
  await again.keyboard.press("End");
  await again.keyboard.type(" Two weeks.");
  await paneShows(again, "of a run elsewhere; not run here yet. stale");
  await textSaved(again, '"stale":true');
  await again.reload();
  await paneShows(again, "of a run elsewhere; not run here yet. stale");
  await choose(again, "Results");
  await paneShows(again, "The table of a run stays with who ran it: run to see it.");
  await accessible(again);
  await pane(again).locator(".source").getByRole("button", { name: "Run all 5 cases" }).click();
  await paneShows(again, "Done: 5 cases");
  await settles(() => pane(again).getByText("stays with who ran it").count(), 0);
  await Promise.all([page.close(), linked.close(), again.close()]);
});

test("a button for a grade stays in its place, and the page does not scroll", async () => {
  for (const size of [{ width: 390, height: 844 }, { width: 1280, height: 800 }]) {
    const page = await open("", "", undefined, (context) => context.on("page", (opened) => opened.setViewportSize(size)));
    const button = pane(page).locator("button.flip").first();
    const place = () => pane(page).evaluate((node) => { // in one look: between two, the pane may be drawn anew
      const box = node.querySelector("button.flip")?.getBoundingClientRect();
      return box && [box.x, box.y, node.scrollTop];
    });
    await paneShows(page, "Set faults to 7: pass");
    const before = await place();
    await button.click();
    await paneShows(page, "Set faults to 6: fail");
    await settles(place, before);
    await page.getByRole("button", { name: "Run this case offline" }).click();
    await paneShows(page, "in the last run");
    await settles(place, before);
    const run = page.locator("#run-all"), width = () => run.evaluate((node) => node.getBoundingClientRect().width), wide = await width();
    await page.getByRole("button", { name: "Examples" }).click();
    await page.getByRole("button", { name: "A rubric with faults" }).click(); // one case
    await settles(() => run.textContent(), "Run offline");
    await settles(width, wide);
    await page.close();
  }
});

test("promptfoo's text under a name of AgentV's is one click from being read", async () => {
  const page = await open();
  await write(page, readFileSync("src/examples/promptfooconfig.yaml", "utf8"));
  await choose(page, "Score");
  await paneShows(page, "The text is a promptfoo configuration, but support.eval.yaml is a name of AgentV, so nothing in it is graded.");
  await accessible(page);
  await page.locator("#run-all").click();
  await paneShows(page, "There is no case to run in this file.");
  const button = page.getByRole("button", { name: "Rename to promptfooconfig.yaml" });
  await settles(() => button.evaluate((b) => b.getClientRects().length && b.offsetHeight < 50), true, "the name is cut into lines");
  await button.click();
  await page.getByRole("tab", { name: "promptfooconfig.yaml", selected: true }).waitFor();
  await choose(page, "Score");
  await paneShows(page, "Not judged yet If every criterion is met: pass, score 1.");
  await page.close();
});

test("results are stale whose case has changed, or whose grades come to another score", async () => {
  const page = await open(), support = readFileSync("src/examples/support.eval.yaml", "utf8");
  const stale = () => page.locator(".grid tbody tr", { has: page.locator(".chip.stale") }).locator("th").allTextContents();
  await page.locator("#run-all").click();
  await paneShows(page, "Done: 5 cases: 4 pass, 1 fail.");
  await write(page, support.replace("weight: 2", "weight: 1")); // the lens says 0.8 now
  await settles(stale, ["summarise-review"]);
  await write(page, support.replace("Where is order 1042?", "Where is my order 1042?"));
  await settles(stale, ["order-status"]);
  await write(page, `# A remark.\n${support}`);
  await settles(stale, []);
  await page.close();
});

test("a yes-or-no assertion is satisfied or not, and has no thresholds of rubrics", async () => {
  const page = await open();
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("button", { name: "A promptfoo configuration" }).click();
  await page.getByRole("tab", { name: "promptfooconfig.yaml", selected: true }).waitFor();
  await choose(page, "Score");
  await paneShows(page, "Set contains to not satisfied: fail");
  await settles(() => pane(page).getByRole("slider").count(), 0);
  await settles(() => pane(page).locator(".limit").count(), 0);
  await settles(() => page.getByRole("button", { name: "Draft a rubric from this case" }).count(), 0); // nothing drafts assertions
  await page.getByRole("button", { name: "Set contains to not satisfied: fail" }).click();
  await paneShows(page, /^fail score 0.667/);
  await page.getByRole("checkbox", { name: "satisfied" }).first().check();
  await paneShows(page, /^pass score 1/);
  await page.getByRole("combobox", { name: "Case" }).selectOption("test-2");
  await paneShows(page, "icontains (required): not graded yet");
  await page.getByRole("button", { name: "Run this case offline" }).click();
  await paneShows(page, "fail score 0.5 in the last run");
  await paneShows(page, "run: not satisfied");
  await accessible(page);
  await page.close();
});

test("Back closes what was opened last and stays on the page, and Forward opens it again", async () => {
  const page = await open();
  const selected = (name) => page.getByRole("tab", { name, selected: true }).waitFor();
  await choose(page, "Problems");
  await openFiles(page, { "second.eval.yaml": twoCriteria, "third.eval.yaml": twoCriteria }); // the example makes room for them
  await selected("second.eval.yaml");
  await page.getByRole("tab", { name: "third.eval.yaml" }).click();
  await choose(page, "Results");
  await page.getByRole("button", { name: "Run case a" }).click();
  await page.locator(".runs [role=status]", { hasText: "Done: 1 case" }).waitFor();
  const row = page.getByRole("region", { name: "Table of results" }).getByRole("button", { name: "a", exact: true }), isOpen = (open) => settles(() => row.getAttribute("aria-expanded"), String(open));
  await isOpen(false);
  await row.click();
  await isOpen(true);
  await row.click();
  await page.goBack();
  await isOpen(true);
  await page.goBack();
  await isOpen(false);
  await page.goBack();
  await selected(/^Problems/);
  await page.goBack();
  await selected("second.eval.yaml");
  await page.goForward();
  await selected("third.eval.yaml");
  await page.goForward();
  await selected("Results");
  await page.goForward();
  await isOpen(true);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await selected("Results");
  await selected("third.eval.yaml");
  await page.goBack();
  await page.goBack();
  await selected(/^Problems/);
  await page.close();
});

test("a file without cases says what it was taken for, and what the page reads", async () => {
  const page = await open();
  await write(page, "prompts: [Say it]\nproviders: [echo]\n");
  await choose(page, "Score");
  await paneShows(page, /The page reads:.*AgentV: AgentV eval file.*ADK: ADK evalset/);
  await accessible(page);
  await page.close();
});

test("the text follows the case of the stepper", async () => {
  const page = await open();
  await page.getByText("1 of 5", { exact: true }).waitFor();
  for (const id of ["refund-window", "reset-password", "order-status", "opening-hours"]) {
    await page.getByRole("button", { name: "Next case" }).click();
    await page.locator(".cm-activeLine", { hasText: `id: ${id}` }).waitFor();
  }
  await page.getByText("5 of 5", { exact: true }).waitFor();
  await settles(() => page.getByRole("button", { name: "Next case" }).isDisabled(), true);
  await page.getByRole("combobox", { name: "Case" }).selectOption("refund-window");
  await page.locator(".cm-activeLine", { hasText: "id: refund-window" }).waitFor();
  await page.close();
});

test("an opened file shows its first case as the selected one", async () => {
  const page = await open();
  await openFiles(page, { "x.eval.yaml": "evalcases:\n  - { id: one, input: q, expected_outcome: o }\n  - { id: two, input: q, expected_outcome: o }\n" });
  await page.getByText("1 of 2", { exact: true }).waitFor();
  await settles(() => page.getByRole("combobox", { name: "Case" }).inputValue(), "one");
  await page.getByRole("button", { name: "Next case" }).click();
  await page.locator("#editor .host:not([hidden]) .cm-activeLine", { hasText: "id: two" }).waitFor();
  await page.close();
});

test("the stepper goes through cases that stand on one line", async () => {
  const page = await open();
  const evalCase = (id) => ({ eval_id: id, conversation: [{ invocation_id: "i", user_content: { parts: [{ text: "Q" }] }, final_response: { parts: [{ text: "A" }] } }] });
  await openFiles(page, { "x.evalset.json": JSON.stringify({ eval_set_id: "s", eval_cases: ["a", "b", "c", "d"].map(evalCase) }) });
  for (const [at, id] of ["a", "b", "c", "d"].entries()) {
    await page.getByText(`${at + 1} of 4`, { exact: true }).waitFor();
    await settles(() => page.locator("#case").inputValue(), id);
    if (at < 3) await page.getByRole("button", { name: "Next case" }).click();
  }
  await page.close();
});

test("an answer about the case before does not take a step back", async () => {
  const page = await open("", "", () => {
    globalThis.Worker = class extends Worker {
      set onmessage(handle) {
        super.onmessage = (event) => {
          if (!globalThis.holdsCases || !/"dialect":.*"cases":/.test(event.data)) return handle.call(this, event);
          globalThis.heldAnswer = () => handle.call(this, event);
        };
      }
    };
  });
  await page.getByText("1 of 5", { exact: true }).waitFor();
  const next = page.getByRole("button", { name: "Next case" });
  await page.evaluate(() => void (globalThis.holdsCases = true));
  await next.click();
  await page.waitForFunction(() => globalThis.heldAnswer);
  await next.evaluate(async (button) => {
    button.click();
    globalThis.heldAnswer();
    await new Promise((done) => setTimeout(done)); // the page handles the answer
    button.click();
    globalThis.holdsCases = false;
  });
  await page.getByText("4 of 5", { exact: true }).waitFor();
  await page.locator(".cm-activeLine", { hasText: "id: order-status" }).waitFor();
  await page.close();
});

test("a rubric is drafted for a case without criteria", async () => {
  const page = await open();
  await page.getByRole("combobox", { name: "Case" }).selectOption("opening-hours");
  await page.getByRole("button", { name: "Draft a rubric from this case" }).click();
  await page.locator(".cm-line", { hasText: "- id: draft-mentions-from-9" }).waitFor();
  await paneShows(page, 'Mentions "from 9 to 18" and "closed on Sunday"');
  await page.getByRole("button", { name: "Draft a rubric from this case" }).waitFor({ state: "detached" });
  await page.close();
});

test("the theme follows the system until the user chooses another", async () => {
  const page = await open();
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({ colorScheme: "light" });
  const light = await paper();
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await paper();
  assert.notEqual(light, dark);
  await page.getByRole("button", { name: "Theme: as the system" }).click();
  await settles(paper, light); // the first click shows
  await page.reload();
  await page.getByRole("button", { name: "Theme: light" }).click();
  await settles(paper, dark);
  await page.getByRole("button", { name: "Theme: as the system" }).waitFor();
  await page.emulateMedia({ colorScheme: "light" });
  await settles(paper, light);
  await page.getByRole("button", { name: "Theme: as the system" }).click();
  await settles(paper, dark);
  await page.close();
});

test("there is no verdict before a grade, and then it names its source", async () => {
  const page = await open();
  const colours = () => page.locator(".outcome .verdict").evaluate((pill) => [pill.className, getComputedStyle(pill).borderTopStyle, getComputedStyle(pill).backgroundColor]);
  await page.getByRole("combobox", { name: "Case" }).selectOption("refund-window");
  await paneShows(page, "Not judged yet If every criterion is met: pass, score 1.");
  await settles(colours, ["verdict open", "dashed", "rgba(0, 0, 0, 0)"]);
  await settles(() => page.locator(".gates li").allTextContents(), ["rubric-1", "rubric-2", "rubric-3"].map((id) => `${id} (required): not graded yet`));
  await settles(() => page.locator(".column:not(.open)").count(), 0);
  for (const scheme of ["light", "dark", "forced"]) {
    await page.emulateMedia(scheme === "forced" ? { forcedColors: "active" } : { colorScheme: scheme });
    await accessible(page);
    await screenshot(page, `open-${scheme}`);
  }
  await page.emulateMedia({ forcedColors: "none", colorScheme: "light" });

  await page.getByRole("checkbox", { name: "satisfied" }).first().check();
  await paneShows(page, /^pass score 1 hypothetical Your grades; not run yet\..*Run this case offline.*Clear these grades\s*rubric-1 \(required\): met.*2 of 3 are not graded yet and count as met\./);
  await page.getByRole("button", { name: "Clear these grades" }).click();
  await paneShows(page, /Not judged yet.*Click one of these/);
  await page.getByRole("button", { name: "Undo" }).click();
  await paneShows(page, /^pass score 1 hypothetical Your grades.*Click one of these/);
  await page.getByRole("button", { name: "Clear these grades" }).click();
  await paneShows(page, "Not judged yet");

  await page.getByRole("button", { name: "Run this case offline" }).click();
  await paneShows(page, "pass score 1 in the last run");
  await page.getByRole("checkbox", { name: "satisfied" }).first().uncheck();
  await paneShows(page, "fail score 0.667 hypothetical Your grades, not those of the run.");
  await page.getByRole("button", { name: "Back to the run's grades" }).click();
  await paneShows(page, "pass score 1 in the last run");
  await page.close();
});

test("a case with an error cannot run, and others can", async () => {
  const page = await open();
  const ok = twoCriteria.replace("evalcases:\n", "").replace("id: a", "id: b");
  await write(page, twoCriteria.replace("    input: Say it", "    input: Say it\n    conversation_id: [1]") + ok);
  await choose(page, "Score");
  await page.getByRole("combobox", { name: "Case" }).selectOption("a");
  await paneShows(page, /Not judged yetThis page and rubric run do not run a before this is mended: /);
  await settles(() => page.getByRole("button", { name: /^Run this case/ }).count(), 0);
  await page.getByRole("combobox", { name: "Case" }).selectOption("b");
  await page.getByRole("button", { name: /^Run this case/ }).click();
  await page.getByRole("status").filter({ hasText: "Done: 1 case: 1 ungraded" }).waitFor();
  await page.close();
});

test("a case without a rubric has one score control", async () => {
  const page = await open();
  await page.getByRole("combobox", { name: "Case" }).selectOption("opening-hours");
  await paneShows(page, "Not judged yet If every grade is the best: pass, score 1.");
  await paneShows(page, "A judge gives one score, from 0 to 1, for how well the answer meets the expected outcome.");
  await paneShows(page, "Set llm_judge to 0.75: borderline, score 0.75");
  await page.getByRole("slider", { name: "llm_judge" }).fill("0.5");
  await paneShows(page, "fail score 0.5 hypothetical Your grades; not run yet.");
  await paneShows(page, "Set llm_judge to 0.8: pass, score 0.8");
  await accessible(page);
  await page.close();
});

test("a grade given during a refresh is not lost", async () => {
  const page = await open("", "", () => {
    globalThis.Worker = class extends Worker {
      postMessage(message) {
        const mustHold = globalThis.holding && typeof message === "string" && message.includes('"method":"flip"');
        if (!mustHold) return super.postMessage(message);
        globalThis.holding = false;
        globalThis.release = () => super.postMessage(message);
      }
    };
  });
  await write(page, twoCriteria);
  await choose(page, "Score");
  await page.getByRole("slider", { name: "two" }).waitFor();
  await paneShows(page, "Not judged yet If every criterion is met: pass, score 1.");
  await page.evaluate(() => (globalThis.holding = true));
  await page.locator(".cm-line", { hasText: "weight: 3" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" # so");
  await page.waitForFunction(() => globalThis.release); // what comes of the grades as they are is asked for
  await uncheck(page.getByRole("checkbox", { name: "satisfied" }));
  await page.evaluate(() => globalThis.release());
  await paneShows(page, "fail score 0.25");
  await settles(() => page.getByRole("checkbox", { name: "satisfied" }).isChecked(), false);
  await page.close();
});

test("the chart of weights, bands and gates has a text alternative", async () => {
  const page = await open();
  await write(page, twoCriteria.replace("        score_ranges:", "        required_min_score: 5\n        score_ranges:"));
  await choose(page, "Score");
  const savePicture = page.getByRole("figure", { name: "one: 75 % of the weight, not graded; two: 25 % of the weight, not graded. Together at most 1; borderline from 0.6, pass from 0.8." });
  await savePicture.waitFor();
  await page.waitForFunction(() => { // which is drawn again when the answer to a later question comes
    const [one, second] = [...document.querySelectorAll("figure .column")].map((c) => c.getBoundingClientRect().width);
    return Math.abs(one / second - 3) < 0.2;
  });
  await page.getByRole("slider", { name: "two" }).fill("4");
  await page.getByRole("figure", { name: /two: 25 % of the weight, 4 of 10, and its gate is not met. Together at most 0.85/ }).waitFor();
  await page.getByRole("figure", { name: "bands: 0 to 4: Rude; 5 to 10: Kind. At least 5 is required." }).locator(".band.here", { hasText: "Rude" }).waitFor();
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  // An element that was redrawn away has no style, so the style is asked until there is one.
  await page.waitForFunction(() => getComputedStyle(document.querySelector(".fill")).transitionDuration === "0s");
  await page.close();
});

test("the shown case follows the caret", async () => {
  const page = await open();
  await page.locator("#case option", { hasText: "reset-password" }).waitFor({ state: "attached" });
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.locator(".cm-line", { hasText: "id: reset-password" }).click();
  await choose(page, "Effective rubric");
  await paneShows(page, "reset-link");
  await settles(() => page.getByRole("combobox", { name: "Case" }).inputValue(), "reset-password");
  await page.locator(".cm-line", { hasText: "id: reset-password" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("s"); // it stays while its id is typed
  await settles(() => page.getByRole("combobox", { name: "Case" }).inputValue(), "reset-passwords");
  await page.close();
});

test("the shown case follows the outline and a search", async () => {
  const page = await open();
  await page.getByText("1 of 5", { exact: true }).waitFor();
  await page.getByRole("button", { name: "All cases" }).click();
  await page.getByRole("navigation", { name: "Outline" }).getByRole("button", { name: /^order-status/ }).click();
  await settles(() => page.getByRole("combobox", { name: "Case" }).inputValue(), "order-status");
  await page.getByRole("button", { name: /^Find/ }).click();
  await page.keyboard.type("When are you open");
  await page.keyboard.press("Enter");
  await settles(() => page.getByRole("combobox", { name: "Case" }).inputValue(), "opening-hours");
  await page.close();
});

test("the other panes show the prompt, the effective rubric, a reply and the model", async () => {
  const page = await open();
  await write(page, twoCriteria);
  await choose(page, "Judge prompt");
  await paneShows(page, "Says it kindly");
  await choose(page, "Effective rubric");
  await paneShows(page, "5–10: Kind");
  await choose(page, "JSON");
  await paneShows(page, '"dialect": "agentv"');
  await choose(page, "Reply");
  await page.getByRole("textbox", { name: "A judge's reply about a" }).fill('{"checks": [{"id": "nobody"');
  await pane(page).locator(".error").first().waitFor();
  await page.close();
});

test("a session by keyboard alone: a grade, a run, its results and a link", async () => {
  const page = await open();
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
  const tabTo = (what) => settles(async () => {
    await page.keyboard.press("Tab");
    return (await focused()).startsWith(what);
  }, true, what);
  await paneShows(page, "Near miss");
  await tabTo("Set faults to 7: pass");
  await page.keyboard.press("Enter");
  await paneShows(page, "pass score 0.8 hypothetical Your grades");
  await tabTo("grade-rubric-faults");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await paneShows(page, "fail score 0.667");
  await page.keyboard.press("Control+Enter");
  await paneShows(page, "Done: 5 cases: 4 pass, 1 fail");
  await settles(focused, "pane"); // which has the results
  await tabTo("summarise-review");
  await page.keyboard.press("Enter");
  await paneShows(page, "Why it did not pass");
  await settles(focused, "summarise-review");
  await page.keyboard.press("Control+s");
  await page.locator("#status", { hasText: "The link is copied" }).waitFor();
  await page.close();
});

test("everything works by the keyboard", async () => {
  const page = await open();
  await paneShows(page, "Click this to change the verdict:");
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  await page.getByRole("tab", { name: "Score" }).focus();
  await page.keyboard.press("ArrowRight");
  await settles(focused, "Problems");
  await page.keyboard.press("End");
  await settles(focused, "Under the hood");
  await page.keyboard.press("Tab");
  await settles(focused, "Judge prompt");
  await page.keyboard.press("End");
  await settles(focused, "JSON");
  await paneShows(page, '"dialect"');

  await page.getByRole("button", { name: "Share" }).focus(); // a menu opens, its entries follow the arrows, and Escape closes it
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await settles(focused, "Copy as Markdown");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Copy as Markdown" }).waitFor({ state: "hidden" });
  await settles(focused, "Share");

  const bar = page.getByRole("separator", { name: "Width of the editor" }), width = () => page.locator(".editor").evaluate((e) => e.getBoundingClientRect().width);
  const before = await width();
  await bar.focus();
  await page.keyboard.press("ArrowLeft");
  await settles(() => bar.getAttribute("aria-valuenow"), "48");
  await settles(async () => await width() < before, true);
  await page.close();
});

test("right-to-left text keeps its direction", async () => {
  const page = await open();
  await write(page, twoCriteria.replaceAll("Says it kindly", "אומר זאת בנימוס").replaceAll("Kind", "مهذب").replaceAll("Rude", "فظ"));
  await choose(page, "Score");
  const direction = (where, want) => settles(() => where.evaluate((e) => getComputedStyle(e).direction), want);
  await direction(pane(page).getByText("אומר זאת בנימוס", { exact: true }), "rtl");
  await direction(pane(page).locator(".band", { hasText: "مهذب" }), "rtl");
  await direction(pane(page).getByText("Says it", { exact: true }), "ltr");
  await choose(page, "Effective rubric");
  await direction(pane(page).getByRole("cell", { name: "אומר זאת בנימוס" }), "rtl");
  await direction(pane(page).getByRole("listitem").filter({ hasText: "مهذب" }), "rtl");
  await choose(page, "Reply");
  await page.getByRole("textbox", { name: "A judge's reply about a" }).fill('{"checks": [{"id": "one", "satisfied": true, "reasoning": "התשובה נכונה"}, {"id": "two", "score": 7, "reasoning": "الجواب مهذب"}]}');
  await direction(pane(page).getByText("התשובה נכונה", { exact: true }), "rtl");
  await direction(pane(page).getByText("الجواب مهذب", { exact: true }), "rtl");
  await settles(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await page.close();
});

nothingElse(fixture);
