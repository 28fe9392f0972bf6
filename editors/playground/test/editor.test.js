// A text is edited, with all that the language server knows of it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { screenshot } from "./axe.js";
import { choose, hover, pane, playground, nothingElse, paneShows, settles, write } from "./browser.js";
import { faulty, twoCriteria } from "./texts.js";

const fixture = await playground();

describe("the editor", () => {
  let page;
  before(async () => {
    page = await fixture.open();
    await write(page, faulty);
  });
  after(() => page.close());

  test("a diagnostic is underlined in its range", async () => {
    const mark = page.locator(".cm-lintRange-error", { hasText: "weigth" });
    await settles(() => mark.allInnerTexts(), ["weigth"]);
  });

  test("hover shows documentation", async () => {
    await hover(page, page.locator(".cm-line", { hasText: "- id: one" }).getByText("id", { exact: true }), page.locator(".cm-lsp-hover-tooltip"));
  });

  /** heldHover hovers, and returns a function that sends the request, and what followed it, and waits for its answer. */
  async function heldHover() {
    await page.mouse.move(5, 5);
    await page.locator(".cm-tooltip").waitFor({ state: "detached" });
    await page.evaluate(() => {
      const { postMessage } = Worker.prototype, held = [];
      let answered;
      delete document.documentElement.dataset.held;
      Worker.prototype.postMessage = function (...message) {
        if (!answered && String(message[0]).includes('"textDocument/hover"')) {
          const { id } = JSON.parse(message[0]);
          answered = new Promise((answered) => this.addEventListener("message", ({ data }) => JSON.parse(data).id === id && requestAnimationFrame(() => requestAnimationFrame(answered))));
          document.documentElement.dataset.held = "yes";
        }
        if (answered) held.push(() => postMessage.apply(this, message));
        else postMessage.apply(this, message);
      };
      window.release = () => {
        Worker.prototype.postMessage = postMessage;
        for (const send of held) send();
        return answered;
      };
    });
    await hover(page, page.locator(".cm-line", { hasText: "- id: one" }).getByText("id", { exact: true }), page.locator("html[data-held]"));
    await page.mouse.move(5, 5);
    await page.locator(".cm-tooltip").waitFor({ state: "detached" }); // of a further try
    return () => page.evaluate(() => window.release());
  }

  test("a hover that is answered after the pointer has left is not shown", async () => {
    const release = await heldHover();
    await release();
    assert.equal(await page.locator(".cm-tooltip").count(), 0);
  });

  test("a hover that is answered after the text has changed is dropped", async () => {
    const release = await heldHover();
    await write(page, "# short");
    await release(); // the place is no more, and an error would be logged
    assert.equal(await page.locator(".cm-tooltip").count(), 0);
    await write(page, faulty);
  });

  test("inlay hints are shown", async () => {
    await page.locator(".cm-hint", { hasText: "weight 1" }).waitFor();
  });

  test("the Problems pane shows rule pages and fixes", async () => {
    await choose(page, /Problems/);
    await paneShows(page, "did you mean weight?");
    await pane(page).getByRole("button", { name: "About unknown-key" }).click();
    await pane(page).getByRole("heading", { name: "unknown-key" }).waitFor(); // its Markdown is rendered
    await pane(page).getByRole("button", { name: "change to weight", exact: true }).click();
    await paneShows(page, "No problems in this file.");
    assert.match(await page.locator(".cm-content").innerText(), / {8}weight: 3/);
  });

  test("a key folds a range", async () => {
    await page.getByTitle("Fold line", { exact: true }).first().waitFor();
    await page.locator(".cm-line", { hasText: "rubrics:" }).click();
    await page.keyboard.press("Control+Shift+BracketLeft");
    await page.locator(".cm-foldPlaceholder").waitFor();
    await page.keyboard.press("Control+Shift+BracketRight");
    await page.locator(".cm-foldPlaceholder").waitFor({ state: "detached" });
  });

  test("completion offers valid keys", async () => {
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("        requ");
    await page.locator(".cm-tooltip-autocomplete", { hasText: "required" }).waitFor();
    await page.keyboard.press("Escape");
  });

  test("a completion of several lines is indented once", async () => {
    const lines = () => page.locator("#editor .host:not([hidden]) .cm-line").evaluateAll((all) => all.map((line) => [...line.childNodes].filter((n) => !n.classList?.contains("cm-inlay-hint")).map((n) => n.textContent).join("")));
    await write(page, "evalcases:\n  - id: a\n    ");
    await page.keyboard.type("rubri");
    await page.locator(".cm-tooltip-autocomplete li", { hasText: /^rubrics/ }).click();
    await settles(async () => (await lines()).slice(2), ["    rubrics:", "      - "]);
    await write(page, "evalcases:\n  - id: a\n    rubrics:\n      - id: x\n        ");
    await page.keyboard.type("score_r");
    await page.locator(".cm-tooltip-autocomplete li", { hasText: /^score_ranges/ }).click();
    await settles(async () => (await lines()).at(-1), "          10: Right and complete");
    await page.keyboard.press("Escape");
  });

  test("the server highlights the text and indents new lines", async () => {
    await page.locator(".cm-token-class", { hasText: "a" }).first().waitFor();
    await write(page, "evalcases:\n  - id: a\n    rubrics:");
    await page.keyboard.press("Enter");
    await page.keyboard.type("x");
    await page.waitForFunction(() => [...document.querySelector("#editor .host:not([hidden])").shadowRoot.querySelectorAll(".cm-line")].at(-1).textContent === "      x");
  });
});

test("a finding shows its fixes by title, and separately the action that hides it", async () => {
  const page = await fixture.open();
  const tooltip = page.locator(".cm-tooltip-lint"), marked = (word) => page.locator(".cm-lintRange", { hasText: word }).first();
  const buttons = tooltip.getByRole("button");
  await write(page, faulty);
  await hover(page, marked("weigth"), tooltip.getByRole("button", { name: "change to weight" }));
  await settles(() => buttons.allTextContents(), ["change to weight", "Ignore this finding here…"]);
  await screenshot(page, "fixes");
  await buttons.first().click();
  await page.locator(".cm-line", { hasText: /^ {8}weight: 3$/ }).waitFor();

  const unreachable = `evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - id: warm
        expected_outcome: Greets the user warmly
        score_ranges:
          - { score_range: [0, 3], expected_outcome: Cold }
          - { score_range: [4, 7], expected_outcome: Warm }
`;
  const noBorderline = `evalcases:
  - id: greeting
    expected_outcome: Greets the user
    input: Hello
    rubrics:
      - { id: by-name, expected_outcome: Greets the user by name, weight: 1, required: false }
      - { id: thanks, expected_outcome: Thanks the user, weight: 1, required: false }
`;
  for (const [text, rule] of [[noBorderline, "borderline-unreachable"], [unreachable, "pass-unreachable"]]) {
    await page.mouse.move(5, 5);
    await tooltip.waitFor({ state: "hidden" });
    await write(page, text);
    await choose(page, /Problems/);
    const finding = pane(page).locator("li", { has: page.locator("code", { hasText: rule }) }).first();
    await finding.getByText("No automatic fix.").waitFor();
    await settles(() => finding.locator(".fixes").getByRole("button").allTextContents(), ["Ignore this finding here…"], rule);
    await hover(page, marked("rubrics"), tooltip.getByText("No automatic fix.").first());
    await settles(async () => [...new Set(await buttons.allTextContents())], ["Ignore this finding here…"], rule);
    assert.ok(!(await page.locator(".cm-content").innerText()).includes("rubric: ignore"), rule);
  }
  await buttons.first().click();
  await page.locator(".cm-line", { hasText: "# rubric: ignore" }).waitFor();
  await page.keyboard.type("the ranges are on purpose");
  await page.locator(".cm-line", { hasText: / -- the ranges are on purpose$/ }).waitFor();
  await page.close();
});

test("a syntax error has its fix, and cannot be ignored", async () => {
  const page = await fixture.open();
  await write(page, faulty.replace("input: Say it", "input: @home"));
  await choose(page, /Problems/);
  const finding = pane(page).locator("li", { has: page.locator("code", { hasText: "yaml-syntax" }) }).locator(".fixes");
  await settles(() => finding.getByRole("button").allTextContents(), ["quote it"]);
  await page.close();
});

test("no row is ever without its actions, and the list stays as it is while nothing changes", async () => {
  const page = await fixture.open();
  await choose(page, /Problems/);
  await page.evaluate(() => {
    globalThis.bare = 0;
    const count = () => (globalThis.bare += document.querySelectorAll("#pane .fixes:empty").length);
    new MutationObserver(count).observe(document.getElementById("pane"), { childList: true });
  });
  await write(page, faulty);
  await pane(page).getByRole("button", { name: "About unknown-key" }).click();
  const rule = pane(page).getByRole("heading", { name: "unknown-key" });
  await rule.waitFor();
  await choose(page, "Score");
  await rule.waitFor({ state: "detached" });
  await choose(page, /Problems/);
  await rule.waitFor();
  assert.equal(await page.evaluate(() => globalThis.bare), 0);
  await page.close();
});

test("a key shows the fixes at the caret, and Escape returns to the text", async () => {
  const page = await fixture.open();
  await write(page, faulty);
  await page.locator(".cm-lintRange", { hasText: "weigth" }).click();
  await page.keyboard.press("Control+.");
  const fix = page.locator(".cm-tooltip-fixes").getByRole("button", { name: "change to weight" });
  await fix.waitFor();
  await page.keyboard.press("Escape");
  await fix.waitFor({ state: "detached" });
  await page.keyboard.press("Control+.");
  await fix.waitFor();
  await page.keyboard.press("Enter"); // it has the focus
  await page.locator(".cm-line", { hasText: /^ {8}weight: 3$/ }).waitFor();
  await page.close();
});

test("text is found that is not on the screen", async () => {
  const page = await fixture.open();
  await write(page, `${"# filler\n".repeat(400)}# needle\n${"# filler\n".repeat(400)}`);
  await page.keyboard.press("Control+F");
  await page.keyboard.type("needle");
  await page.keyboard.press("Enter");
  await page.locator(".cm-line", { hasText: "needle" }).waitFor();
  await page.close();
});

test("errors come first, and kinds of findings can be hidden", async () => {
  const page = await fixture.open();
  await write(page, faulty.replace("evalcases:", "evalcases: # none") + "        required_min_score: 7\n");
  await choose(page, /Problems/);
  await pane(page).getByRole("button", { name: /^1 error$/ }).waitFor();
  const order = pane(page).locator("ul.problems .visually-hidden");
  await settles(async () => [(await order.allTextContents())[0], await order.count() > 1], ["error: ", true]);
  await pane(page).getByRole("button", { name: /^1 error$/ }).click();
  await settles(async () => [...new Set(await order.allTextContents())].map((kind) => kind === "error: "), [false]); // others are left
  await page.close();
});

test("the outline goes to a position, also with the keyboard", async () => {
  const page = await fixture.open();
  await write(page, twoCriteria);
  await page.keyboard.press("Control+Shift+O");
  const outline = page.getByRole("navigation", { name: "Outline" });
  await outline.getByRole("button", { name: "two" }).waitFor();
  await page.keyboard.type("two");
  await outline.getByRole("button", { name: "one" }).waitFor({ state: "detached" });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator(".cm-activeLine", { hasText: "id: two" }).waitFor();
  await page.keyboard.press("Control+Shift+O");
  await outline.waitFor({ state: "hidden" });
  await page.close();
});

nothingElse(fixture);
