// node run.mjs SERVER SCHEMA [TEST]: the tests in the real workbench, or one of them,
// each with a server behind a tap, and what was said then held against the
// protocol's schema.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { lacking } from './missing.mjs'
import { story } from './story.mjs'
import { trusting } from './trust.mjs'
import { serveWeb } from './web.mjs'
import * as bench from './workbench.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const extension = path.resolve(here, '../..')
const tap = path.resolve(extension, '../tap')
const model = path.resolve(here, '../model')
const [server, schema] = process.argv.slice(2, 4).map((p) => path.resolve(p))
const only = process.argv[4]
const files = Object.fromEntries(
  fs.readdirSync(path.join(here, 'files'), { recursive: true })
    .filter((name) => fs.statSync(path.join(here, 'files', name)).isFile())
    .map((name) => [name, fs.readFileSync(path.join(here, 'files', name), 'utf8')]),
)

/** inHost runs tests inside the extension host. */
const inHost = (tests) => async (setting) => {
  const vs = await bench.serve({ ...setting, beside: { 'test.model-0.0.1': model }, args: ['--enable-smoke-test-driver'] })
  const { browser, page } = await bench.browse()
  try {
    await bench.suite(page, tests, () => page.goto(bench.address(vs, setting.workspace, [
      ['extensionDevelopmentPath', vs.remote(extension)], ['extensionTestsPath', vs.remote(path.resolve(here, '..', tests))], ['skipWelcome', 'true'],
    ])))
  } finally {
    await browser.close()
    await vs.stop()
  }
}

/** untrusted runs tests in a workspace that nobody trusts, with settings that would start programs in one that is. */
const untrusted = (setting) => inHost('untrusted')({
  ...setting,
  ours: {
    ...setting.ours, 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never',
    'rubric.judge': `cli:touch ${setting.workspace}/started`, 'rubric.target': `cli:touch ${setting.workspace}/started`, 'rubric.allowExec': true,
  },
})

/**
 * seen has a person's story told, in the packaged extension, in which neither the page
 * nor the extension host asks for anything beyond this machine; `name` is what a picture
 * is called if it fails.
 */
const seen = (name, tell, more = () => ({})) => async (setting) => {
  const special = more(setting)
  const log = path.join(setting.root, 'dialled')
  const vs = await bench.serve({
    ...setting, ...special, vsix: path.join(extension, 'rubric.vsix'),
    beside: { ...special.beside, 'test.dialled-0.0.1': path.resolve(here, '../dialled') }, env: { ...setting.env, ...special.env, DIALLED: log },
  })
  const { browser, page } = await bench.browse()
  const elsewhere = beyond(page, ({ port, hostname }) => Number(port) === vs.port && hostname === '127.0.0.1')
  try {
    await tell(page, (file) => bench.address(vs, setting.workspace, [['openFile', vs.remote(path.join(setting.workspace, file))]]), setting)
    const dialled = fs.readFileSync(log, 'utf8').trim().split('\n')
    if (!dialled.includes('127.0.0.1:9')) throw new Error(`what the extension host asks for is not watched: ${dialled}`)
    elsewhere.push(...dialled.filter((address) => !/^(localhost|127\.0\.0\.1|::1):\d+$/.test(address)))
    if (elsewhere.length) throw new Error(`asked for: ${elsewhere}`)
  } catch (fault) {
    await bench.picture(page, `${name}-failed`)
    throw fault
  } finally {
    await browser.close()
    await vs.stop()
  }
}

/** beyond collects what a page asks for that is not its own. */
function beyond(page, own) {
  const elsewhere = []
  page.context().on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !own(new URL(request.url()))) elsewhere.push(request.url())
  })
  return elsewhere
}

/** trusted is a workspace that nobody trusts until a person says so. */
const trusted = seen('trusted', (page, address, { env }) => trusting(page, address, () => fs.readdirSync(env.LSP_TAP_LOGS).length),
  ({ ours }) => ({ ours: { ...ours, 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' } }))

/** missing is a workspace whose settings name a server that is not there. */
const missing = seen('missing', lacking, () => ({ ours: { 'rubric.server.path': '/nowhere/rubric' } }))

/** byHand is what a person does and sees, with a provider that is on this machine. */
async function byHand(setting) {
  const provider = await listen()
  try {
    await seen('by-hand', async (page, address) => {
      await story(page, address, setting.workspace, provider)
      const leaks = fs.readdirSync(setting.root, { recursive: true }).filter((f) => !f.startsWith('tap') && holds(path.join(setting.root, f), provider.key))
      if (leaks.length) throw new Error(`the key is in ${leaks}`)
      const logs = fs.readdirSync(setting.root, { recursive: true }).filter((f) => /Rubric\.log$/.test(f))
      if (!logs.some((f) => holds(path.join(setting.root, f), '•••'))) throw new Error('the messages that keys are in were not logged')
    }, ({ ours, env }) => ({
      beside: { 'redhat.vscode-yaml-0.0.1': path.resolve(here, '../yaml'), 'test.model-0.0.1': model },
      ours: { ...ours, 'rubric.trace.server': 'verbose' }, env: { ...env, OPENAI_BASE_URL: provider.address, OPENAI_API_KEY: '' },
    }))(setting)
  } finally {
    provider.stop()
  }
}

/** holds reports whether a text is in a file. */
function holds(file, text) {
  return fs.statSync(file).isFile() && fs.readFileSync(file).includes(text)
}

/** listen is a provider that notes the keys that it is sent, and knows none of them. */
async function listen() {
  const sent = []
  const server = http.createServer((request, response) => {
    sent.push(request.headers.authorization)
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no such key"}}')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${server.address().port}`, sent, key: 'sk-secret-0123456789', stop: () => server.close() }
}

/** inTheWeb runs the web's extension, where there is no server to tap; nothing is asked for elsewhere. */
async function inTheWeb() {
  const web = await serveWeb(extension, path.resolve(here, '../web'))
  const { browser, page } = await bench.browse()
  const elsewhere = beyond(page, web.own)
  try {
    await bench.suite(page, 'web', () => page.goto(web.address))
    await page.frameLocator('iframe.webview.ready').frameLocator('iframe').getByText('1 of 1 passed').first().waitFor()
    await bench.picture(page, 'web')
    if (elsewhere.length) throw new Error(`asked for: ${elsewhere}`)
  } finally {
    await browser.close()
    await web.stop()
  }
}

/**
 * tapped gives a test a folder of files and a server behind a tap, and checks what
 * was said; `sessions` is how many there must be, if not any.
 */
async function tapped(name, test, { of = files, sessions } = {}) {
  const { root, workspace, remove } = bench.folder(of)
  const logs = path.join(root, 'tap')
  fs.mkdirSync(logs)
  console.log(name)
  try {
    await test({
      root, workspace, ours: { 'rubric.server.path': path.join(tap, 'tap.mjs') },
      env: { LSP_TAP_COMMAND: server, LSP_TAP_LOGS: logs },
    })
    const began = fs.readdirSync(logs).length
    if (sessions !== undefined && began !== sessions) throw new Error(`${began} servers were started, and not ${sessions}`)
    if (sessions === 0) return true
    const checked = spawnSync(process.execPath, [path.join(tap, 'check.mjs'), schema, logs], { encoding: 'utf8' })
    console.log(`  ${checked.stdout}${checked.stderr}`.trimEnd())
    return checked.status === 0
  } catch (fault) {
    console.error(fault)
    for (const log of fs.readdirSync(root, { recursive: true }).filter((f) => /Rubric\.log$/.test(f))) {
      console.error(fs.readFileSync(path.join(root, log), 'utf8').slice(0, 4000))
    }
    return false
  } finally {
    remove()
  }
}

/** alone runs a test without a server. */
async function alone(name, test) {
  console.log(name)
  try {
    await test()
    return true
  } catch (fault) {
    console.error(fault)
    return false
  }
}

const tests = {
  'in the extension host': (name) => tapped(name, inHost('host')),
  'without an eval file': (name) => tapped(name, inHost('plain'), { of: { 'plain.yaml': 'weight: -3\n' } }),
  'where nobody is trusted': (name) => tapped(name, untrusted, { sessions: 0 }),
  'where trust is granted': (name) => tapped(name, trusted, { sessions: 1 }),
  'where there is no server': (name) => tapped(name, missing, { sessions: 0 }),
  'by hand': (name) => tapped(name, byHand),
  'in the web': (name) => alone(name, inTheWeb),
}
let failed = 0
for (const [name, test] of Object.entries(tests)) {
  if (only && name !== only) continue
  const began = Date.now()
  const good = await test(name)
  if (!good) failed++
  console.log(`${good ? 'ok' : 'FAILED'} ${name} in ${((Date.now() - began) / 1000).toFixed(0)} s`)
}
process.exit(failed ? 1 : 0)
