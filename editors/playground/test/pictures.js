// `npm run pictures [DIR]` takes screenshots of the page at three widths in three themes, to compare by eye before and
// after a change.
// RUBRIC names the program that serves the page, as in the tests.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { choose, paneShows, serve, startBrowser } from "./browser.js";

const [dir = "test/pictures"] = process.argv.slice(2);

const sizes = [{ width: 1280, height: 800 }, { width: 768, height: 1024 }, { width: 390, height: 844 }];

const themes = { light: { colorScheme: "light" }, dark: { colorScheme: "dark" }, forced: { colorScheme: "dark", forcedColors: "active" } };

/** runAll runs the first example. */
async function runAll(page) {
  await page.locator("#run-all").click();
  await paneShows(page, "Done: 5 cases");
}

/** states lead from the first view to what is taken. */
const states = {
  first: (page) => paneShows(page, "Near miss"),
  problems: async (page) => {
    await page.getByRole("button", { name: "Examples", exact: true }).click();
    await page.getByRole("button", { name: "A rubric with faults" }).click();
    await choose(page, "Problems");
    await page.locator(".fixes button").first().waitFor();
  },
  results: runAll,
  row: async (page) => {
    await runAll(page);
    await page.locator(".grid").getByRole("button", { name: "summarise-review" }).click();
    await paneShows(page, "Why it did not pass");
  },
  hood: async (page) => {
    await choose(page, "Effective rubric");
    await page.locator("#pane table").first().waitFor();
  },
};

const site = await serve(), browser = await startBrowser(site.address);
mkdirSync(dir, { recursive: true });
try {
  for (const [state, reach] of Object.entries(states)) {
    for (const size of sizes) {
      const page = await browser.open("", "", undefined, (context) => context.on("page", (opened) => opened.setViewportSize(size)));
      await reach(page);
      await page.locator("#status").evaluate((line) => line.replaceChildren()); // a message that ends by itself
      for (const [theme, media] of Object.entries(themes)) {
        await page.emulateMedia(media);
        await page.screenshot({ path: path.join(dir, `${state}-${size.width}-${theme}.png`), animations: "disabled" });
      }
      await page.close();
    }
  }
} finally {
  await browser.close();
  await site.stop();
}
