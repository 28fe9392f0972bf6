// What a person does in the workbench. Nothing is pressed once and hoped for.
import fs from 'node:fs'

/**
 * gesture repeats what a person does until its effect shows: a key press or a mouse
 * move can fall into a moment when the workbench moves the focus. `act` is given how
 * often it was begun, and how long it may take.
 */
export async function gesture(act, effect, { tries = 8, wait = 4000 } = {}) {
  for (let i = 1; ; i++) {
    try {
      await act(i, { timeout: wait })
      return await effect.waitFor({ timeout: wait })
    } catch (fault) {
      if (i >= tries) throw fault
    }
  }
}

/** judge chooses who judges. */
export async function judge(page, name) {
  const row = (label) => page.locator(`.quick-input-list .monaco-list-row[aria-label^="${label}"]`)
  await gesture(async (i, soon) => {
    if (i > 1) await page.keyboard.press('Escape')
    await command(page, 'Rubric: Choose Judge')
    if (name === 'offline' || name === 'editor') return row(name).click(soon)
    await row('other').click(soon)
    await page.locator('.quick-input-widget input[placeholder="openai:MODEL"]').fill(name, soon)
    return page.keyboard.press('Enter')
  }, page.locator('#rubric-ls\\.rubric\\.rubric', { hasText: name }), { wait: 8000 })
}

/** until waits for something outside of the page. */
export async function until(page, happened) {
  for (let i = 0; !happened(); i++) {
    if (i > 300) throw new Error('it did not happen within 30 s')
    await page.waitForTimeout(100)
  }
}

/** open opens a file from the explorer. */
export async function open(page, name) {
  const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name })
  await gesture(async (_, soon) => {
    if (!(await row.isVisible())) await page.locator('.activitybar a.action-label[aria-label^="Explorer"]').click(soon)
    await row.dblclick(soon)
  }, page.locator('.tab.active', { hasText: name }))
}

/** command runs a command of the palette. */
export async function command(page, title) {
  const input = page.locator('.quick-input-widget input[type=text]').first()
  await gesture(() => page.keyboard.press('F1'), input)
  await input.fill(`>${title}`)
  await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click()
}

/** saved saves the open file and waits for what is then on disk. */
export async function saved(page, file, right) {
  for (let i = 0; i < 100; i++) {
    if (i % 20 === 0) await page.keyboard.press('Control+S')
    if (right(fs.readFileSync(file, 'utf8'))) return
    await page.waitForTimeout(100)
  }
  throw new Error(`${file} is not saved as it should be:\n${fs.readFileSync(file, 'utf8')}`)
}

/** running is what the test explorer shows while anything runs. */
export function running(page) {
  return page.locator('.test-explorer .codicon-loading, .test-explorer .codicon-testing-loading-icon').first()
}

/** idle waits until nothing runs. */
export async function idle(page) {
  await running(page).waitFor({ state: 'detached' })
}

/** using has an item of the test explorer executed by a profile, once. */
export async function using(page, item, profile) {
  const row = page.locator('.test-explorer .monaco-list-row', { hasText: item }).first()
  const pick = page.locator('.quick-input-list .monaco-list-row', { hasText: profile }).first()
  await gesture(async (i, soon) => {
    if (i > 1) await page.keyboard.press('Escape')
    await row.click({ button: 'right', ...soon })
    await page.locator('.monaco-menu .action-item', { hasText: 'Execute Using Profile' }).hover(soon)
    await page.keyboard.press('Enter')
  }, pick, { wait: 8000 })
  await pick.click()
}
