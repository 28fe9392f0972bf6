// What a person does and sees in a workspace that nobody trusts yet, and then does.
import assert from 'node:assert/strict'
import { command, gesture } from './hand.mjs'
import { picture } from './workbench.mjs'

/** trusting is told in a page; `began` counts the servers that were started as processes. */
export async function trusting(page, address, began) {
  const editor = page.locator('.editor-instance .monaco-editor').first()
  const run = editor.locator('.codelens-decoration a', { hasText: 'Run case' }).first()
  const over = page.locator('.monaco-modal-editor-block')
  const step = async (name, act) => {
    await act()
    console.log(`  ok ${name}`)
  }

  await page.goto(address('refund.eval.yaml'))
  await step('before, a run is refused, and no process was started', async () => {
    await gesture((_, soon) => run.click(soon), page.locator('.notification-toast', { hasText: 'not trusted' }).first())
    await picture(page, 'untrusted')
    assert.equal(await page.locator('.notification-toast').count(), 1)
    assert.equal(began(), 0)
  })
  await step('trust is granted', async () => {
    const trust = page.locator('.workspace-trust-editor')
    await command(page, 'Workspaces: Manage Workspace Trust', trust.first())
    await gesture((_, soon) => trust.locator('.monaco-button', { hasText: /^Trust$/ }).first().click(soon),
      trust.filter({ hasText: 'You trust this folder' }).first())
    await picture(page, 'trusted')
  })
  await step('after, the same lens runs the case', async () => {
    await gesture(async (_, soon) => {
      // What is told of trust lies over the file.
      if (await over.isVisible()) await over.locator('.codicon-close').first().click(soon)
      await run.click(soon)
    }, editor.locator('.codelens-decoration', { hasText: 'fail, score 0.5' }).first())
    assert.equal(began(), 1)
    assert.equal(await page.locator('.notification-toast', { hasText: 'failed' }).count(), 0)
  })
}
