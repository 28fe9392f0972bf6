// What a person does in the workbench. Nothing is pressed once and hoped for.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { isDeepStrictEqual } from 'node:util'

/** patience is how long anything may take, in milliseconds, on a slow and busy machine. */
export const patience = 120_000

/**
 * gesture repeats what a person does until its effect shows: a key press or a mouse
 * move can fall into a moment when the workbench moves the focus. `act` is given how
 * often it was begun, and how long it may take: short at first, and longer each time,
 * for a machine that is slow.
 */
export async function gesture(act, effect, { tries = 9, wait = 1500 } = {}) {
  for (let i = 1; ; i++) {
    const limit = { timeout: i * wait }
    let fault
    await Promise.resolve(act(i, limit)).catch((fell) => { fault = fell })
    try {
      return await effect.waitFor(limit)
    } catch (late) {
      if (i >= tries) throw fault ?? late
    }
  }
}

/** hidden is the effect that an element disappears. */
export function hidden(locator) {
  return { waitFor: ({ timeout }) => locator.first().waitFor({ state: 'hidden', timeout }) }
}

/** until is an effect that no locator shows. A rejected promise means “not yet”. */
export function until(page, happened) {
  return {
    async waitFor({ timeout = patience } = {}) {
      const end = Date.now() + timeout
      for (let fault; ;) {
        if (await Promise.resolve().then(happened).catch((fell) => { fault = fell })) return
        if (Date.now() > end) throw new Error(`it did not happen within ${timeout} ms: ${happened}`, { cause: fault })
        await page.waitForTimeout(50)
      }
    },
  }
}

/** settles waits until a page that may be drawn anew while it is asked answers what is wanted. */
export async function settles(page, ask, want, what) {
  let got
  await until(page, async () => isDeepStrictEqual((got = await ask()), want)).waitFor().catch((late) => {
    assert.deepEqual(got, want, what)
    throw late
  })
}

const palette = (page) => page.locator('.quick-input-widget')

/** choice is a row of the list that the workbench shows at its top. */
export function choice(page, label) {
  return palette(page).locator(`.monaco-list-row[aria-label^="${label}"]`).first()
}

/** command runs a command of the palette, until it shows: a palette closes when the focus moves, and a redraw takes away what was typed. */
export async function command(page, title, effect, pace) {
  await gesture(async (i, soon) => {
    if (i > 1) await page.keyboard.press('Escape')
    await page.keyboard.press('F1')
    await palette(page).locator('input[type=text]').first().fill(`>${title}`, soon)
    await choice(page, title).click(soon)
  }, effect, pace)
}

/** type fills a box of the workbench's and enters it, once `ask` has shown the box; `effect` is what then shows. */
export async function type(page, box, text, ask, effect) {
  await gesture(async (_, soon) => {
    if (!(await box.isVisible())) await ask(soon)
    await box.fill(text, soon)
    await box.press('Enter', soon)
  }, effect)
}

/** judge chooses who judges. */
export async function judge(page, name) {
  const shown = status(page, name)
  const listed = name === 'offline' || name === 'editor'
  const choose = () => command(page, 'Rubric: Choose Judge', choice(page, 'offline'))
  if (listed) {
    return gesture(async (i, soon) => {
      if (i === 1 || !(await choice(page, name).isVisible())) await choose()
      await choice(page, name).click(soon)
    }, shown)
  }
  const box = palette(page).locator('input[placeholder="openai:MODEL"]')
  return type(page, box, name, async () => {
    await choose()
    await gesture((_, soon) => choice(page, 'other').click(soon), box, { tries: 2 })
  }, shown)
}

/** status is what the status bar says of us, once it says `text`. */
export function status(page, text) {
  return page.locator('#rubric-ls\\.rubric\\.rubric', { hasText: text })
}

/** side shows a view of the side bar. */
export async function side(page, name, view) {
  await gesture(async (_, soon) => {
    if (!(await view.isVisible())) await page.locator('.activitybar .action-item', { has: page.locator(`a[aria-label^="${name}"]`) }).click(soon) // a badge may cover the link
  }, view)
}

/** open opens a file from the explorer, in a folder that may be folded. */
export async function open(page, name, folder) {
  const files = page.locator('.explorer-folders-view')
  const row = (text) => files.locator('.monaco-list-row', { hasText: text })
  await gesture(async (_, soon) => {
    await side(page, 'Explorer', files)
    if (folder) await expand(row(folder), soon)
    await row(name).dblclick(soon)
  }, page.locator('.tab.active', { hasText: name }))
}

/** expand opens a row of a tree. */
export async function expand(row, soon) {
  if ((await row.getAttribute('aria-expanded', soon)) === 'false') await row.locator('.monaco-tl-twistie').click(soon)
}

/** saved saves the open file until what is then on disk is right, and the editor has nothing else to save. */
export async function saved(page, file, right) {
  await gesture(() => page.keyboard.press('Control+S'), until(page, async () => right(fs.readFileSync(file, 'utf8')) && !(await page.locator('.tab.active.dirty').count()))).catch(() => {
    throw new Error(`${file} is not saved as it should be:\n${fs.readFileSync(file, 'utf8')}`)
  })
}

/**
 * lenses are an editor's lenses with a text, as a person sees them. Those that VS Code has in its cache are not links; it
 * asks for others once the editor has the focus, such as by a click on one of them.
 */
export function lenses(editor, text) {
  return editor.locator('.codelens-decoration > *', { hasText: text })
}

/** runningExtension shows the extensions that run, and returns the row of one, to which a list of many is scrolled: the quickest to start come last. */
export async function runningExtension(page, name) {
  const rows = page.locator('.runtime-extensions-editor .monaco-list-row')
  const row = rows.filter({ hasText: name }).first()
  await command(page, 'Developer: Show Running Extensions', rows.first())
  await gesture(async (_, soon) => {
    if (await row.isVisible()) return
    await page.locator('.runtime-extensions-editor').hover(soon) // not a row: that scrolls back to it
    await page.mouse.wheel(0, 300)
  }, row)
  return row
}

/** within waits for something for a limited time, in milliseconds: what asks a page that no longer reacts may never end. */
export async function within(limit, promise) {
  let timer
  const late = new Promise((_, reject) => { timer = setTimeout(reject, limit, new Error(`it did not end within ${limit} ms`)) })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** step does a step of a test, and prints and returns how long it takes. If it fails, the error says which step it was. */
export async function step(name, act) {
  const start = Date.now()
  try {
    await within(5 * patience, act())
  } catch (cause) {
    throw new Error(`“${name}” failed`, { cause })
  }
  const took = Date.now() - start
  console.log(`  ok ${name}: ${took} ms`)
  return took
}

/** running is what the test explorer shows while anything runs. */
export function running(page) {
  return page.locator('.test-explorer .codicon-loading, .test-explorer .codicon-testing-loading-icon').first()
}

/** noRunInProgress waits until no run is in progress. */
export async function noRunInProgress(page) {
  await running(page).waitFor({ state: 'detached' })
}

/** runWithProfile executes an item of the test explorer with a profile, once: the run has started when the list disappears. */
export async function runWithProfile(page, item, profile) {
  const row = page.locator('.test-explorer .monaco-list-row', { hasText: item }).first()
  let picked = false
  await gesture(async (i, soon) => {
    if (picked) return
    if (i > 1) await page.keyboard.press('Escape')
    await row.click({ button: 'right', ...soon })
    // A key could fall into a list that opens late, and would execute its first row. A menu takes no
    // click in its first 100 ms.
    await gesture((_, again) => page.locator('.monaco-menu .action-menu-item', { hasText: 'Execute Using Profile' }).click(again),
      choice(page, profile), { tries: 4, wait: soon.timeout / 3 })
    await choice(page, profile).click(soon)
    picked = true
  }, { waitFor: async (soon) => { if (!picked) throw new Error(`${profile} was not picked`); await hidden(choice(page, profile)).waitFor(soon) } })
}
