// From an empty folder to a first verdict, in four gestures. None of them types a path.
import { command, gesture } from './gestures.mjs'
import { savePicture } from './workbench.mjs'

/** empty opens the sample, fixes it and runs it. */
export async function empty(page, address) {
  const editor = page.locator('.editor-instance .monaco-editor').first()
  const lens = (text) => editor.locator('.codelens-decoration', { hasText: text }).first()
  const fault = editor.locator('.view-line', { hasText: 'wieght' }).first()
  const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'weight' }).first()
  await page.goto(address())
  await command(page, 'Rubric: Open a Sample', fault) // 1
  await editor.locator('.squiggly-error').first().waitFor()
  await gesture(async (i, soon) => {
    if (i > 1) await page.keyboard.press('Escape') // a list without the fix covers the text
    await fault.locator('span', { hasText: 'wieght' }).last().click(soon)
    await page.keyboard.press('Control+.') // 2
  }, fix)
  await gesture((_, soon) => fix.click(soon), editor.locator('.view-line', { hasText: 'weight: 2' }).first()) // 3
  await gesture((_, soon) => lens('Run file').locator('a', { hasText: 'Run file' }).click(soon), lens(/\d of \d passed/)) // 4
  await savePicture(page, 'empty-verdict')
  console.log('  ok the fourth gesture shows a verdict')
}
