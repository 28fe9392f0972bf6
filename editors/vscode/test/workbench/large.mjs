// A file of 5,000 cases: it is run by a click, and typed in.
import assert from 'node:assert/strict'
import { expand, gesture, lenses, running, runningExtension, side, step } from './gestures.mjs'
import { savePicture } from './workbench.mjs'

/** large does the steps in a page, and prints how long they take. `runByCommand` returns how long the command line runs, in milliseconds: the median of three times. */
export async function large(page, address, runByCommand) {
  const editor = page.locator('.editor-instance .monaco-editor').first()
  const rows = page.locator('.test-explorer .monaco-list-row')
  const lens = (text) => editor.locator('.codelens-decoration', { hasText: text }).first()
  page.setDefaultTimeout(180_000)
  /** typing types forty characters into the first case of a file, twice, and returns how long the second time takes: the first one warms the window. */
  const typing = async (name) => {
    const line = editor.locator('.view-line', { hasText: 'Names the refund window' }).first()
    let took
    for (const end of ['collect', 'deliver']) {
      took = await step(`forty characters are typed into ${name}`, () => gesture(async (_, soon) => {
        await line.click(soon)
        await page.keyboard.press('End')
        await page.keyboard.type(` for lamps and for shades that we ${end}`)
      }, line.filter({ hasText: `that we ${end}` }), { wait: 20_000 }))
    }
    return took
  }

  await page.goto(address('large.txt'))
  const plain = await typing('plain text')
  await page.goto(address('large.eval.yaml'))
  await step('the lenses show', () => lens('Run file').waitFor())
  await step('the cases are listed', async () => {
    await side(page, 'Testing', rows.filter({ hasText: 'large.eval.yaml' }))
    await gesture((_, soon) => expand(rows.filter({ hasText: 'large.eval.yaml' }), soon), rows.filter({ hasText: 'case-1' }).first())
  })
  // VS Code forgets to ask for lenses if the editor loses the focus soon after it is opened: those of its cache stay, without links.
  await step('the lenses are links', () => gesture((_, soon) => editor.locator('.view-line', { hasText: 'evalcases' }).first().click(soon), lens('Run file').locator('a', { hasText: 'Run file' })))
  const passed = page.locator('.test-explorer').getByText('5000/5000') // quicker to find than one of the lenses
  const byCommand = runByCommand()
  await page.evaluate(watchRun)
  await step('a run ends', async () => {
    await gesture((_, soon) => lenses(editor, 'Run file').first().click(soon), passed.or(running(page)).first(), { wait: 10_000, tries: 3 })
    await passed.waitFor()
    await rows.filter({ hasText: '5000 of 5000 passed' }).waitFor()
  })
  const { clicks, verdict, count } = await page.evaluate(() => globalThis.watched)
  for (const [what, took] of Object.entries({ 'the verdict and all rows on the screen': verdict, 'the count of the test explorer': count })) {
    console.log(`  ${what}: ${Math.round(took)} ms after the click, ${(took / byCommand).toFixed(2)} times what the command line takes, ${byCommand} ms`)
  }
  if (clicks > 1) console.log(`  by click ${clicks}`)
  await step('the lens counts the cases', () => lens('5000 of 5000 passed').waitFor())
  await savePicture(page, 'large')

  console.log(`  ${((await typing('the file')) / plain).toFixed(1)} times what plain text takes`)
  await step('a result is stale', () => lens('(stale)').waitFor())
  await step('and its icon outdated', () => rows.filter({ hasText: 'case-0' }).locator('.computed-state.retired').first().waitFor())
  assert.ok((await rows.count()) < 100)

  await step('the running extensions show', async () => {
    console.log(`  ${(await (await runningExtension(page, 'Rubric')).innerText()).replace(/\s+/g, ' ')}`)
  })
}

/** watchRun runs in the page: it notes when each result of a run shows first, in milliseconds after the last click. */
function watchRun() {
  const watched = (globalThis.watched = { clicks: 0 })
  let start
  addEventListener('mousedown', () => {
    start = performance.now()
    watched.clicks++
  }, true)
  const looks = {
    verdict() {
      const rows = [...document.querySelectorAll('.test-explorer .monaco-list-row')]
      return rows.some((row) => row.textContent.includes('5000 of 5000 passed')) && rows.every((row) => row.querySelector('.codicon-testing-passed-icon'))
    },
    count: () => document.querySelector('.test-explorer').textContent.includes('5000/5000'),
  }
  requestAnimationFrame(function look() {
    for (const name of Object.keys(looks)) if (start && !watched[name] && looks[name]()) watched[name] = performance.now() - start
    if (!watched.verdict || !watched.count) requestAnimationFrame(look)
  })
}
