// Work is not lost: by links, tabs, keys, examples, files of the same name, or a reload.
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible } from "./axe.js";
import { openFiles, startBrowser, textSaved, open as ready, playground, nothingElse, serve, settles, write, share, chooseIn } from "./browser.js";
import { twoCriteria } from "./texts.js";

const fixture = await playground();
const { open } = fixture;

const editor = (page) => page.locator("#editor .host:not([hidden]) .cm-content");
const button = (page, name) => page.getByRole("button", { name, exact: true });
const tabSelected = (page, name) => page.getByRole("tab", { name, selected: true, exact: true }).waitFor();
const paneShows = (page, words) => page.locator("#status", { hasText: words }).waitFor();
const unsaved = (page, words) => page.locator("#unsaved", { hasText: words }).waitFor();

/** shows waits until the active file has a line with these words. */
const shows = (page, words) => page.locator("#editor .host:not([hidden]) .cm-line", { hasText: words }).first().waitFor();

/** type types a line at the top of the active file and waits until it is saved. */
async function type(page, words) {
  await editor(page).click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type(`# ${words}\n`);
  await textSaved(page, `# ${words}`); // a file may be named for the words
}

/** undoUntilGone presses Ctrl+Z until no line of the active file has these words. */
async function undoUntilGone(page, words) {
  await shows(page, words);
  await editor(page).focus();
  for (const left = page.locator("#editor .host:not([hidden]) .cm-line", { hasText: words }); await left.count(); ) {
    const before = await editor(page).innerText();
    await page.keyboard.press("Control+Z");
    await settles(async () => await editor(page).innerText() === before, false, "nothing is left to undo");
  }
}

async function reload(page) {
  await page.reload();
  await page.waitForSelector("html[data-ready]");
}

/** tab opens a tab in the browser that has another one open. */
async function tab(page, hash = "", script = undefined) {
  const newTab = await page.context().newPage();
  if (script) await newTab.addInitScript(...script);
  await newTab.goto(`${fixture.site.address.origin}/${hash}`);
  await newTab.waitForSelector("html[data-ready]");
  return newTab;
}

/** linkOf copies a link to what the page shows, and returns the part of it from #. */
async function linkOf(page) {
  await share(page, "Copy link");
  await paneShows(page, "The link is copied");
  return new URL(await page.evaluate(() => navigator.clipboard.readText())).hash;
}

/** linkOfAnother returns a link that another person made. */
async function linkOfAnother() {
  const page = await open();
  await write(page, `# theirs\n${twoCriteria}`);
  const hash = await linkOf(page);
  await page.context().close();
  return hash;
}

/** example opens one from the gallery. */
async function example(page, title) {
  await button(page, "Examples").click();
  await button(page.getByRole("dialog"), title).click();
}

/** name names a file in the dialog of a button. */
async function name(page, label, value) {
  await button(page, label).click();
  await page.getByRole("dialog").getByRole("textbox").fill(value);
  await page.keyboard.press("Enter");
}

test("edits after Copy link survive a reload", async () => {
  const page = await open();
  await write(page, twoCriteria);
  await linkOf(page);
  await type(page, "after the link");
  await reload(page);
  await shows(page, "after the link");
  await page.context().close();
});

test("edits of an opened link survive a reload, and the address loses the link", async () => {
  const hash = await linkOfAnother();
  const page = await open(hash.slice(1));
  await reload(page);
  await shows(page, "theirs");
  assert.equal(new URL(page.url()).hash, hash);
  await type(page, "mine");
  await page.waitForFunction(() => !location.hash);
  await reload(page);
  await shows(page, "mine");
  await page.context().close();
});

test("a link opens as a workspace of its own, and earlier work is one click away", async () => {
  const hash = await linkOfAnother();
  const page = await open();
  await type(page, "earlier work");
  await page.goto("about:blank");
  await page.goto(`${fixture.site.address.origin}/${hash}`);
  await shows(page, "theirs");
  await button(page, "Back to support.eval.yaml").click();
  await shows(page, "earlier work");
  await page.goBack();
  await shows(page, "theirs");
  const newTab = await tab(page);
  await shows(newTab, "earlier work");
  await page.context().close();
});

test("a link pasted into the open page opens, and Back returns to the earlier work", async () => {
  const hash = await linkOfAnother();
  const page = await open();
  await type(page, "earlier work");
  await page.goto(`${fixture.site.address.origin}/${hash}`); // the same document: the page is not loaded anew
  await shows(page, "theirs");
  await button(page, "Undo").click();
  await shows(page, "earlier work");
  await page.goBack();
  await shows(page, "theirs");
  await page.goBack();
  await shows(page, "earlier work");
  await reload(page);
  await shows(page, "earlier work");
  await page.context().close();
});

test("the address of a restarted server pasted into the open page reloads it, with the work", async () => {
  const page = await open("live=old");
  await type(page, "mine");
  await Promise.all([page.waitForEvent("load"), page.goto(fixture.site.address.href)]);
  await page.waitForSelector("html[data-ready]");
  await shows(page, "mine");
  await page.getByRole("tab", { name: "Results" }).click();
  await page.locator("#judge").selectOption("live");
  await page.locator("#pane", { hasText: `at ${fixture.site.address.host}` }).waitFor();
  await page.context().close();
});

test("two tabs have separate work, and a new tab opens the last saved one", async () => {
  const a = await open();
  await type(a, "of tab A");
  const b = await tab(a);
  await paneShows(b, "This is a copy");
  await type(b, "of tab B");
  await reload(a);
  await shows(a, "of tab A");
  assert.equal(await a.locator(".cm-line", { hasText: "of tab B" }).count(), 0);
  await reload(b);
  await shows(b, "of tab B");
  const context = a.context();
  await type(b, "last of all");
  const c = await context.newPage();
  await a.close();
  await b.close();
  await c.goto(fixture.site.address.origin);
  await shows(c, "last of all");
  await context.close();
});

test("a duplicated tab has a workspace of its own", async () => {
  const a = await open();
  await type(a, "before");
  const state = await a.evaluate(() => history.state); // which a browser copies when it duplicates a tab
  const b = await tab(a, "", [(state) => history.state ?? history.replaceState(state, ""), state]);
  await paneShows(b, "This is a copy");
  await shows(b, "before");
  await type(b, "of the duplicate");
  await type(a, "of the original");
  await reload(b);
  await shows(b, "of the duplicate");
  await reload(a);
  await shows(a, "of the original");
  assert.equal(await a.locator(".cm-line", { hasText: "of the duplicate" }).count(), 0);
  await a.context().close();
});

test("after a typed key the earlier version stays saved, and the page says so until the key is removed", async () => {
  const page = await open();
  await openFiles(page, { "a.eval.yaml": twoCriteria, "b.eval.yaml": twoCriteria });
  await tabSelected(page, "a.eval.yaml");
  await type(page, "before the key");
  await editor(page).click();
  await page.keyboard.press("Control+Home");
  await page.evaluate(() => navigator.clipboard.writeText("# sk-proj-abcdefghijklmnop0123456789\n"));
  await page.keyboard.press("Control+V");
  await unsaved(page, "Not saved in this browser: line 1 of a.eval.yaml looks like an API key; the version saved before that is still there.");
  await accessible(page);
  await reload(page);
  await shows(page, "before the key");
  await page.getByRole("tab", { name: "b.eval.yaml", exact: true }).waitFor();
  await editor(page).click();
  await page.keyboard.press("Control+V");
  await unsaved(page, "looks like an API key");
  await page.keyboard.press("Control+Z");
  await page.locator("#unsaved:empty").waitFor({ state: "attached" });
  await page.context().close();
});

test("the browser asks before what was just typed is left, and not once that is saved", async () => {
  const page = await open();
  const asked = [];
  page.on("dialog", (dialog) => (asked.push(dialog.type()), dialog.dismiss()));
  await editor(page).click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# typed in the last moment\n");
  await page.evaluate(() => document.execCommand("insertText", false, "#") && location.reload());
  await settles(() => [...asked], ["beforeunload"]);
  await textSaved(page, "# typed in the last moment"); // nothing was left
  await settles(() => page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true }))), false);
  await reload(page);
  await shows(page, "# typed in the last moment");
  assert.deepEqual(asked, ["beforeunload"]);
  await page.close();
});

test("an example replaces the files, and Undo restores them with their undo history", async () => {
  const page = await open();
  await openFiles(page, { "a.eval.yaml": twoCriteria, "b.eval.yaml": twoCriteria });
  await tabSelected(page, "a.eval.yaml");
  await type(page, "mine");
  await example(page, "A rubric with faults");
  await tabSelected(page, "refund.eval.yaml");
  await button(page, "Undo").click();
  await tabSelected(page, "a.eval.yaml");
  await page.getByRole("tab", { name: "b.eval.yaml", exact: true }).waitFor();
  await undoUntilGone(page, "mine");
  await page.getByRole("tab", { name: /^Problems \(/ }).waitFor(); // the evaluator knows the file again
  await example(page, "A rubric with faults");
  await button(page, "Dismiss the message").click();
  await button(page, "Undo").waitFor({ state: "detached" });
  await page.context().close();
});

test("Recent lists earlier work, opens it, and deletes it", async () => {
  const page = await open();
  await chooseIn(page, "File", "Recent");
  await page.getByRole("dialog").getByText("No other work").waitFor();
  await page.keyboard.press("Escape");
  await openFiles(page, { "mine.eval.yaml": twoCriteria });
  await type(page, "mine");
  await example(page, "A rubric with faults");
  await tabSelected(page, "refund.eval.yaml");
  await textSaved(page, "refund.eval.yaml");
  await reload(page);
  await tabSelected(page, "refund.eval.yaml"); // not edited, and still what this tab shows
  await chooseIn(page, "File", "Recent");
  await button(page.getByRole("dialog"), "mine.eval.yaml").waitFor();
  await accessible(page);
  await button(page.getByRole("dialog"), "mine.eval.yaml").click();
  await shows(page, "mine");
  await example(page, "A rubric with faults");
  await tabSelected(page, "refund.eval.yaml");
  for (const after of ["Undo", "Close"]) {
    await chooseIn(page, "File", "Recent");
    await button(page.getByRole("dialog"), "Delete mine.eval.yaml").click();
    await button(page.getByRole("dialog"), after).click();
    if (after === "Undo") {
      await button(page.getByRole("dialog"), "Delete mine.eval.yaml").waitFor();
      await page.keyboard.press("Escape");
    }
  }
  await chooseIn(page, "File", "Recent");
  await page.getByRole("dialog").getByText("No other work").waitFor();
  await page.context().close();
});

test("an example that is only looked at is no earlier work", async () => {
  const page = await open();
  await page.locator("#case").selectOption("refund-window");
  await page.locator("#pane", { hasText: "Not judged yet" }).waitFor();
  await example(page, "A rubric with faults");
  await tabSelected(page, "refund.eval.yaml");
  await chooseIn(page, "File", "Recent");
  await page.getByRole("dialog").getByText("No other work").waitFor();
  await page.context().close();
});

test("Undo restores a closed file in its place, with its undo history", async () => {
  const page = await open();
  await openFiles(page, { "a.eval.yaml": twoCriteria, "b.eval.yaml": twoCriteria });
  await tabSelected(page, "a.eval.yaml");
  await type(page, "mine");
  await button(page, "Close file").click();
  await paneShows(page, "a.eval.yaml closed.");
  await tabSelected(page, "b.eval.yaml");
  await button(page, "Undo").click();
  await tabSelected(page, "a.eval.yaml");
  await settles(() => page.getByRole("tablist", { name: "Files" }).getByRole("tab").allInnerTexts(), ["a.eval.yaml", "b.eval.yaml"]);
  await undoUntilGone(page, "mine");
  await page.context().close();
});

test("a new file with the name of an open one gets another name", async () => {
  const page = await open();
  await openFiles(page, { "a.eval.yaml": twoCriteria });
  await type(page, "mine");
  await name(page, "New file", "a.eval.yaml");
  await tabSelected(page, "a-2.eval.yaml");
  await paneShows(page, "a.eval.yaml is open already; the new file is a-2.eval.yaml.");
  await page.getByRole("tab", { name: "a.eval.yaml", exact: true }).click();
  await shows(page, "mine");
  await page.context().close();
});

test("an opened file replaces an open one of the same name, and Undo reverts that", async () => {
  const page = await open();
  await openFiles(page, { "a.eval.yaml": twoCriteria });
  await type(page, "mine");
  for (const undo of [() => button(page, "Undo").click(), async () => (await editor(page).click(), page.keyboard.press("Control+Z"))]) {
    await openFiles(page, { "a.eval.yaml": `# from disk\n${twoCriteria}` });
    await shows(page, "from disk");
    await paneShows(page, "a.eval.yaml opened. Replaced: a.eval.yaml.");
    await undo();
    await shows(page, "mine");
  }
  await page.context().close();
});

test("a renamed file keeps its undo history", async () => {
  const page = await open();
  await openFiles(page, { "a.eval.yaml": twoCriteria });
  await type(page, "mine");
  await name(page, "Rename file", "b.eval.yaml");
  await tabSelected(page, "b.eval.yaml");
  await undoUntilGone(page, "mine");
  await page.context().close();
});

test("a file with a long name survives a reload", async () => {
  const page = await open();
  await openFiles(page, { [`${"long".repeat(40)}.eval.yaml`]: twoCriteria });
  await type(page, "mine");
  await reload(page);
  await shows(page, "mine");
  await page.context().close();
});

test("failing storage is reported once, and the page works", async () => {
  const page = await open("", "", () => {
    globalThis.Worker = class extends Worker {
      postMessage(message) {
        if (!["save", "resume"].includes(message.task)) return super.postMessage(message);
        queueMicrotask(() => this.onmessage({ data: { number: message.number, error: "the disk is full" } }));
      }
    };
  });
  await paneShows(page, "Earlier work cannot be read: the disk is full.");
  await unsaved(page, "Not saved in this browser: the disk is full.");
  await page.evaluate(() => {
    globalThis.told = 0;
    new MutationObserver(() => globalThis.told++).observe(document.getElementById("unsaved"), { childList: true, characterData: true, subtree: true });
  });
  await write(page, twoCriteria);
  await page.getByRole("tab", { name: "Problems (1)" }).waitFor();
  assert.equal(await page.evaluate(() => globalThis.told), 0);
  await example(page, "A rubric with faults"); // which Undo takes back from memory
  await tabSelected(page, "refund.eval.yaml");
  await paneShows(page, "refund.eval.yaml opened. What was open before is not saved: the disk is full.");
  await button(page, "Undo").click();
  await shows(page, "Says it kindly");
  await page.context().close();
});

test("the state of database version 1 is migrated", async () => {
  const page = await open();
  await page.context().route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  await page.goto(`${fixture.site.address.origin}/icon.svg`); // the same origin, without the page
  await page.evaluate(async (text) => {
    const done = (request) => new Promise((done, fail) => Object.assign(request, { onsuccess: () => done(request.result), onerror: () => fail(request.error), onblocked: () => fail(new Error("blocked")) }));
    await done(indexedDB.deleteDatabase("rubric-playground"));
    const request = indexedDB.open("rubric-playground", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("states");
    const db = await done(request);
    await done(db.transaction("states", "readwrite").objectStore("states").put({ files: [{ name: "old.eval.yaml", text }], active: "old.eval.yaml", grades: {}, case: "", tab: "verdict" }, "last"));
    db.close();
  }, `# of old\n${twoCriteria}`);
  const newTab = await tab(page);
  await tabSelected(newTab, "old.eval.yaml");
  await shows(newTab, "of old");
  await page.context().close();
});

test("the command uses the same port each time, so that saved work is found", async (t) => {
  const first = await serve([]);
  const otherBrowser = await startBrowser(first.address);
  t.after(() => otherBrowser.close());
  assert.match(first.address.port, /^779\d$/);
  const page = await otherBrowser.open();
  await type(page, "before the restart");
  const second = await serve([]);
  assert.notEqual(second.address.port, first.address.port);
  await second.stop();
  assert.match(second.errors(), new RegExp(`port 7790 is in use; the page is at port ${second.address.port}`));
  await first.stop();
  const restarted = await serve([]);
  t.after(() => restarted.stop());
  assert.equal(restarted.address.port, first.address.port);
  await page.goto("about:blank");
  await page.goto(restarted.address.href);
  await ready(page);
  await shows(page, "before the restart");
});

nothingElse(fixture);
