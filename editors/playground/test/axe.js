// Whether people who do not see the page well can use it: axe's rules, and no scrolling to the side.
import { mkdirSync } from "node:fs";
import { test } from "node:test";
import axe from "axe-core";
import { settles } from "./browser.js";

/** accessible asserts that axe has no finding on a page as it is shown, or is once colours have changed. */
export async function accessible(page) {
  await page.evaluate(axe.source);
  await settles(async () => {
    const { violations } = await page.evaluate(() => window.axe.run());
    return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")}`);
  }, []);
}

/** screenshot writes a picture of a page to test/artefacts. */
export async function screenshot(page, name) {
  mkdirSync("test/artefacts", { recursive: true });
  page.removeAllListeners("console"); // the driver adds a style for the picture, which the page's policy refuses
  await page.screenshot({ path: `test/artefacts/${name}.png` });
}

/** testLayouts runs axe on the page of `open` and `show` at each width and color scheme, and writes screenshots named `picture`…. */
export function testLayouts(savePicture, open, show) {
  for (const scheme of ["light", "dark"]) {
    for (const width of [320, 800, 1400]) {
      test(`${width} pixels wide and ${scheme}, axe has no finding`, async () => {
        const page = await open();
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        await show(page);
        await settles(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, "it scrolls sideways");
        await accessible(page);
        await screenshot(page, `${savePicture}${scheme}-${width}`);
        await page.close();
      });
    }
  }
}
