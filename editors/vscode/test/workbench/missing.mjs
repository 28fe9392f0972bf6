// What a person sees where there is no server.
import { gesture, settles, status } from './gestures.mjs'
import { savePicture } from './workbench.mjs'

/** missingServerTest opens an eval file in a workbench whose setting names no program. */
export async function missingServerTest(page, address) {
  const toast = page.locator('.notification-toast', { hasText: '`rubric.server.path` is `/nowhere/rubric`, which is not a program' })
  await page.goto(address('refund.eval.yaml'))
  await toast.waitFor()
  await status(page, 'no server').waitFor()
  await settles(page, () => page.locator('.notification-toast').count(), 1)
  await savePicture(page, 'missing')
  console.log('  ok that is said once, and the status bar shows it')
  await gesture((_, soon) => toast.getByRole('button', { name: 'Open Settings' }).click(soon),
    page.locator('.settings-editor .setting-item-contents[data-key="rubric.server.path"]'))
  console.log('  ok the setting is shown')
}
