// What a person does wrong, and takes back: a run without a key, a misspelt key, an edit after a run. Each step looks at
// what the screen then says.
import assert from 'node:assert/strict'
import { choice, command, expand, gesture, hidden, lenses, open, side, step } from './gestures.mjs'
import { savePicture } from './workbench.mjs'

/** mistakes does the steps in a page. */
export async function mistakes(page, address) {
  const editor = page.locator('.editor-instance .monaco-editor').first()
  const rows = page.locator('.test-explorer .monaco-list-row')
  const toast = page.locator('.notification-toast')
  const line = (text) => editor.locator('.view-line', { hasText: text }).first()
  const lens = (text) => lenses(editor, text).first()
  /** typeAt types at the end of a line, until it shows. */
  const typeAt = (text, typed, effect) => gesture(async (_, soon) => {
    await line(text).click(soon)
    await page.keyboard.press('End')
    await page.keyboard.type(typed)
  }, effect)
  const revert = () => command(page, 'File: Revert File', hidden(page.locator('.tab.active.dirty')))

  await step('a promptfoo file is checked as it is typed, and has a row', async () => {
    await page.goto(address('promptfooconfig.yaml'))
    await lens('Run file').waitFor()
    await gesture(async (_, soon) => {
      await line('assert:').locator('span span', { hasText: 'assert' }).first().dblclick(soon)
      await page.keyboard.type('asser')
    }, editor.locator('.squiggly-error').first())
    await revert()
    await hidden(editor.locator('.squiggly-error')).waitFor({})
    await side(page, 'Testing', rows.filter({ hasText: 'promptfooconfig.yaml' }))
  })

  await step('why a run fails can be read, and so can a dry run', async () => {
    const readable = (text) => toast.locator('.notification-list-item-message', { hasText: text }).first()
    await gesture((_, soon) => lens('Run file').click(soon), readable('set OPENAI_API_KEY in the environment'))
    await savePicture(page, 'mistakes-key')
    await gesture((_, soon) => toast.getByRole('button', { name: 'Choose…' }).first().click(soon), choice(page, 'self'))
    await page.keyboard.press('Escape')
    await command(page, 'Notifications: Clear All Notifications', hidden(toast))
    await gesture((_, soon) => lens('Dry run').click(soon), readable('but `OPENAI_API_KEY` is not set'))
    await savePicture(page, 'mistakes-dry')
    await command(page, 'Notifications: Clear All Notifications', hidden(toast))
  })

  await step('one case of two has run, and the file says so', async () => {
    await open(page, 'refund.eval.yaml')
    await gesture((_, soon) => lens('Run case').click(soon), lens('0 of 1 passed, 1 not run'))
    await side(page, 'Testing', rows.filter({ hasText: 'refund.eval.yaml' }))
    await rows.filter({ hasText: 'refund.eval.yaml' }).getByText('0 of 1 passed, 1 not run').waitFor()
    assert.equal(await toast.count(), 0) // all of it is on the screen
  })

  await step('what a failed case had on the screen goes with its id, and comes back with it', async () => {
    const places = [editor.getByText(/^not satisfied: /), page.locator('.activitybar .action-item', { has: page.locator('a[aria-label^="Testing"]') }).locator('.badge-content'),
      rows.filter({ hasText: 'refund.eval.yaml' }).locator('.codicon-testing-failed-icon'), editor.locator('.codicon-testing-failed-icon')]
    for (const place of places) await place.first().waitFor()
    await typeAt('id: window', '2', line('id: window2'))
    for (const place of places) await hidden(place).waitFor({})
    await revert()
    for (const place of places) await place.first().waitFor()
  })

  await step('an edit makes results stale in every place, until it is taken back', async () => {
    const report = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame').locator('html')
    const file = rows.filter({ hasText: 'refund.eval.yaml' }).first()
    const row = rows.filter({ hasText: 'window' }).first()
    const outdated = row.locator('.computed-state.retired')
    await gesture((_, soon) => expand(file, soon), row)
    await gesture((_, soon) => lens('0 of 1 passed').click(soon), report.getByText('0 of 1 passed').first())
    const notice = report.getByText('1 of 1 stale: the text has changed since the run.')
    await typeAt('The refund window is 30 days.', 'x', notice)
    await outdated.waitFor()
    await savePicture(page, 'mistakes-stale')
    await revert()
    await hidden(notice).waitFor({})
    await hidden(outdated).waitFor({})
    await row.locator('.codicon-testing-failed-icon').waitFor()
    await command(page, 'View: Close Editors in Other Groups', hidden(page.locator('iframe.webview')))
  })
}
