// What axe finds wrong with a page for people who see or handle it in other ways.
import fs from 'node:fs'
import { createRequire } from 'node:module'

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * barriers are what axe finds in the page that an element is of, one line each. It is
 * evaluated there from outside, since nothing that the page could load or run by itself
 * is let in.
 */
export async function barriers(element) {
  const frame = await (await element.elementHandle()).ownerFrame()
  await frame.evaluate(axe)
  const violations = await frame.evaluate(async () => {
    // No timer runs where a page may have no script, and axe waits for some of no time.
    globalThis.setTimeout = (act, _, ...given) => void Promise.resolve().then(() => act(...given))
    return (await globalThis.axe.run({ preload: false })).violations
  })
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary.replace(/\s+/g, ' ')}`))
}
