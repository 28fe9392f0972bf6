// node run.mjs SERVER SCHEMA [TEST]: the tests in the real workbench, or one of them,
// each with a server behind a tap, and what was said then held against the
// protocol's schema.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { story } from './story.mjs'
import * as bench from './workbench.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const extension = path.resolve(here, '../..')
const tap = path.resolve(extension, '../tap')
const [server, schema] = process.argv.slice(2, 4).map((p) => path.resolve(p))
const only = process.argv[4]
const files = Object.fromEntries(
  fs.readdirSync(path.join(here, 'files'), { recursive: true })
    .filter((name) => fs.statSync(path.join(here, 'files', name)).isFile())
    .map((name) => [name, fs.readFileSync(path.join(here, 'files', name), 'utf8')]),
)

/** inHost runs the tests inside the extension host. */
async function inHost(setting) {
  const vs = await bench.serve({ ...setting, args: ['--enable-smoke-test-driver'] })
  const { browser, page } = await bench.browse()
  try {
    await bench.suite(page, 'host', () => page.goto(bench.address(vs, setting.workspace, [
      ['extensionDevelopmentPath', vs.remote(extension)], ['extensionTestsPath', vs.remote(path.resolve(here, '../host'))], ['skipWelcome', 'true'],
    ])))
  } finally {
    await browser.close()
    await vs.stop()
  }
}

/** byHand is what a person does and sees. */
async function byHand(setting) {
  const vs = await bench.serve({ ...setting, vsix: path.join(extension, 'rubric.vsix') })
  const { browser, page } = await bench.browse()
  try {
    await story(page, (name) => bench.address(vs, setting.workspace, [['openFile', vs.remote(path.join(setting.workspace, name))]]), setting.workspace)
  } catch (fault) {
    await bench.picture(page, 'by-hand-failed')
    throw fault
  } finally {
    await browser.close()
    await vs.stop()
  }
}

/** tapped gives a test a folder and a server behind a tap, and checks what was said. */
async function tapped(name, test) {
  const { root, workspace, remove } = bench.folder(files)
  const logs = path.join(root, 'tap')
  fs.mkdirSync(logs)
  console.log(name)
  try {
    await test({
      root, workspace, ours: { 'rubric.server.path': path.join(tap, 'tap.mjs') },
      env: { LSP_TAP_COMMAND: server, LSP_TAP_LOGS: logs },
    })
    const checked = spawnSync(process.execPath, [path.join(tap, 'check.mjs'), schema, logs], { encoding: 'utf8' })
    console.log(`  ${checked.stdout}${checked.stderr}`.trimEnd())
    return checked.status === 0
  } catch (fault) {
    console.error(fault)
    for (const log of fs.readdirSync(root, { recursive: true }).filter((f) => /Rubric\.log$/.test(f))) {
      console.error(fs.readFileSync(path.join(root, log), 'utf8').slice(-3000))
    }
    return false
  } finally {
    remove()
  }
}

let failed = 0
for (const [name, test] of Object.entries({ 'in the extension host': inHost, 'by hand': byHand }).filter(([n]) => !only || n === only)) {
  const began = Date.now()
  const good = await tapped(name, test)
  if (!good) failed++
  console.log(`${good ? 'ok' : 'FAILED'} ${name} in ${((Date.now() - began) / 1000).toFixed(0)} s`)
}
process.exit(failed ? 1 : 0)
