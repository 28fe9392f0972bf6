// Windows of one workspace, a file outside of it, and a workspace of several folders.
import fs from 'node:fs'
import path from 'node:path'
import { gesture, lenses, saved, side, step } from './gestures.mjs'
import { savePicture } from './workbench.mjs'

/** windows does the steps in a page, and in a second one beside it. `folders` is a workspace of two folders. */
export async function windows(page, address, { workspace, folders }) {
  const editor = page.locator('.editor-instance .monaco-editor').first()
  const rows = page.locator('.test-explorer .monaco-list-row')
  const verdict = (text, shown = editor) => shown.locator('.codelens-decoration', { hasText: text }).first()
  const runLast = (shown, effect) => gesture((_, soon) => lenses(shown, 'Run case').last().click(soon), effect)

  await step('several folders keep their files and runs apart', async () => {
    // VS Code now and then shows a workspace that it opens for the first time without its folders: it takes them from a
    // cache, which is empty, and misses that it has read the file meanwhile. A window that is loaded again has them.
    await gesture(() => page.goto(address('../other/two.eval.yaml', folders)),
      page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'workspace' }).first(), { tries: 4, wait: 20_000 })
    const ask = page.locator('.notification-toast', { hasText: 'which target answers?' })
    await runLast(editor, ask)
    await gesture((_, soon) => ask.getByRole('button', { name: 'mock:Hello' }).click(soon), verdict(/pass, score 1$/))
    await side(page, 'Testing', rows.filter({ hasText: 'other/two.eval.yaml' }))
    await rows.filter({ hasText: 'other/two.eval.yaml' }).locator('.codicon-testing-passed-icon').first().waitFor()
    await rows.filter({ hasText: 'workspace/refund.eval.yaml' }).locator('[class*=codicon-testing-]').first().waitFor()
    const { folders: before } = JSON.parse(fs.readFileSync(folders, 'utf8'))
    // In one piece: the window reloads, without folders, if it reads a file that is only half written.
    fs.writeFileSync(`${folders}.new`, JSON.stringify({ folders: [...before, { path: 'third' }] }))
    fs.renameSync(`${folders}.new`, folders)
    await rows.filter({ hasText: 'third/two.eval.yaml' }).waitFor()
    await savePicture(page, 'windows-folders')
  })

  await step('a second window has a server of its own, and both show what the other saves', async () => {
    const other = await page.context().newPage()
    const second = other.locator('.editor-instance .monaco-editor').first()
    await page.goto(address('mixed.eval.yaml'))
    await other.goto(address('mixed.eval.yaml'))
    await page.bringToFront() // the one behind is not drawn
    await runLast(editor, verdict('pass, score 1'))
    await other.bringToFront()
    await gesture(async (_, soon) => {
      await second.locator('.view-line', { hasText: 'id: wrong' }).first().click(soon)
      await other.keyboard.press('End')
      await other.keyboard.type('+')
    }, second.locator('.view-line', { hasText: 'wrong+' }).first())
    await saved(other, path.join(workspace, 'mixed.eval.yaml'), (text) => text.includes('wrong+'))
    await runLast(second, verdict('pass, score 1', second))
    await savePicture(other, 'windows-second')
    await other.close()
    await editor.locator('.view-line', { hasText: 'wrong+' }).first().waitFor()
    await runLast(editor, verdict('pass, score 1'))
  })

  await step('a file outside of the workspace is checked and run', async () => {
    await page.goto(address('../outside.eval.yaml'))
    await editor.locator('.squiggly-error').first().waitFor()
    await runLast(editor, verdict('pass, score 1'))
    await savePicture(page, 'windows-outside')
  })
}
