// Running a case before and after the user trusts the workspace.
import assert from 'node:assert/strict'
import { command, gesture, hidden, lenses, settles } from './gestures.mjs'
import { savePicture } from './workbench.mjs'

/** trustTest runs a case before and after trust is granted; `startedServers` counts server processes. */
export async function trustTest(page, address, startedServers) {
  const editor = page.locator('.editor-instance .monaco-editor').first()
  const run = lenses(editor, 'Run case').first()
  const dialog = page.locator('.monaco-modal-editor-block')
  const panel = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame').locator('main.case-panel')
  const step = async (name, act) => {
    await act()
    console.log(`  ok ${name}`)
  }

  await page.goto(address('refund.eval.yaml'))
  await step('before, a run is refused, and no process was started', async () => {
    await gesture((_, soon) => run.click(soon), page.locator('.notification-toast', { hasText: 'not trusted' }).first())
    await savePicture(page, 'untrusted')
    await settles(page, () => page.locator('.notification-toast').count(), 1)
    await page.locator('.notification-toast').getByRole('button', { name: 'Manage Trust' }).waitFor()
    assert.equal(startedServers(), 0)
  })
  await step('before, the panel shows a case', async () => {
    await command(page, 'Rubric: Show Case at Cursor', panel.getByRole('heading', { name: 'window', exact: true }))
    for (const text of ['Can I send it back?', 'Expected answer, not judged yet', 'The refund window is 30 days.', 'Mentions "prepaid label"', 'not judged yet']) await panel.getByText(text).first().waitFor()
    await gesture((_, soon) => panel.getByRole('button', { name: 'Run case', exact: true }).click(soon), page.locator('.notification-toast', { hasText: 'not trusted' }).first())
    await savePicture(page, 'untrusted-case')
    assert.equal(startedServers(), 0)
    await gesture((_, soon) => page.locator('.tab', { hasText: 'Case window' }).locator('.tab-actions a').first().click(soon), hidden(page.locator('iframe.webview')))
  })
  await step('trust is granted', async () => {
    const trust = page.locator('.workspace-trust-editor')
    await gesture((_, soon) => page.locator('.notification-toast').getByRole('button', { name: 'Manage Trust' }).click(soon), trust.first())
    await gesture((_, soon) => trust.locator('.monaco-button', { hasText: /^Trust$/ }).first().click(soon),
      trust.filter({ hasText: 'You trust this folder' }).first())
    await savePicture(page, 'trusted')
  })
  await step('after, the same lens runs the case', async () => {
    await gesture(async (_, soon) => {
      // A dialog about trust covers the file.
      if (await dialog.isVisible()) await dialog.locator('.codicon-close').first().click(soon)
      await run.click(soon)
    }, editor.locator('.codelens-decoration', { hasText: 'fail, score 0.5' }).first())
    assert.equal(startedServers(), 1)
    assert.equal(await page.locator('.notification-toast', { hasText: 'failed' }).count(), 0)
  })
  await step('after, the panel has the judged answer and the grades', async () => {
    await command(page, 'Rubric: Show Case at Cursor', panel.getByRole('heading', { name: 'Judged answer' }))
    await panel.getByText('fail, score 0.5').waitFor()
    for (const text of [/^satisfied: /, /^not satisfied: /]) await panel.locator('.criteria').getByText(text).waitFor()
    await savePicture(page, 'trusted-case')
  })
}
