// node run.mjs SERVER SCHEMA [TEST]: the tests in the real workbench, or one of them,
// each with a server behind a tap, and what was said then held against the
// protocol's schema.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { empty } from './empty.mjs'
import { runningExtension } from './gestures.mjs'
import { large } from './large.mjs'
import { missingServerTest } from './missing.mjs'
import { mistakes } from './mistakes.mjs'
import { natural } from './natural.mjs'
import { pictures } from './pictures.mjs'
import { windows } from './windows.mjs'
import { walkthrough } from './walkthrough.mjs'
import { trustTest } from './trust.mjs'
import { serveWeb, webCase } from './web.mjs'
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

/** inExtensionHost runs tests inside the extension host. */
const inExtensionHost = (tests) => async (setting) => {
  const vs = await bench.serve({ ...setting, extensions: { 'test.model-0.0.1': model }, args: ['--enable-smoke-test-driver'] })
  const { browser, page } = await bench.startBrowser()
  try {
    await bench.suite(page, tests, () => page.goto(bench.address(vs, setting.workspace, [
      ['extensionDevelopmentPath', vs.remote(extension)], ['extensionTestsPath', vs.remote(path.resolve(here, '..', tests))], ['skipWelcome', 'true'],
    ])))
  } finally {
    await browser.close()
    await vs.stop()
  }
}

/** untrusted runs tests in an untrusted workspace whose settings would start programs in a trusted one. */
const untrusted = (setting) => inExtensionHost('untrusted')({
  ...setting,
  ours: {
    ...setting.ours, 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never',
    'rubric.judge': `cli:touch ${setting.workspace}/started`, 'rubric.target': `cli:touch ${setting.workspace}/started`, 'rubric.allowExec': true,
  },
})

/**
 * withExtension runs a test with the packaged extension. Neither the page nor the extension
 * host may contact another machine. A failure writes a screenshot called `name`.
 */
const withExtension = (name, test, more = () => ({})) => async (setting) => {
  const overrides = more(setting)
  const log = path.join(setting.root, 'contacts')
  const vs = await bench.serve({
    ...setting, ...overrides, vsix: path.join(extension, 'rubric.vsix'),
    extensions: { ...overrides.extensions, 'test.contacts-0.0.1': path.resolve(here, '../contacts') }, env: { ...setting.env, ...overrides.env, CONTACTS_LOG: log },
  })
  const { browser, page } = await bench.startBrowser()
  const foreign = foreignRequests(page, ({ port, hostname }) => Number(port) === vs.port && hostname === '127.0.0.1')
  try {
    await test(page, (file, where = setting.workspace) => bench.address(vs, where, file ? [['openFile', vs.remote(path.join(setting.workspace, file))]] : []), setting)
    const contacted = fs.readFileSync(log, 'utf8').trim().split('\n')
    if (!contacted.includes('127.0.0.1:9')) throw new Error(`what the extension host asks for is not watched: ${contacted}`)
    foreign.push(...contacted.filter((address) => !/^(localhost|127\.0\.0\.1|::1):\d+$/.test(address)))
    if (foreign.length) throw new Error(`asked for: ${foreign}`)
  } catch (fault) {
    await bench.saveFailed(page, name)
    throw fault
  } finally {
    await browser.close()
    await vs.stop()
  }
}

/** foreignRequests collects a page's requests to other hosts. */
function foreignRequests(page, own) {
  const foreign = []
  page.context().on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !own(new URL(request.url()))) foreign.push(request.url())
  })
  return foreign
}

/** trusted is a workspace that is untrusted until the user grants trust. */
const trusted = withExtension('trusted', (page, address, { env }) => trustTest(page, address, () => fs.readdirSync(env.LSP_TAP_LOGS).length),
  ({ ours }) => ({ ours: { ...ours, 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' } }))

/** missing is a workspace whose settings name a server that is not there. */
const missing = withExtension('missing', missingServerTest, () => ({ ours: { 'rubric.server.path': '/nowhere/rubric' } }))

/** killable is a server that writes its process id into a file. */
function killable({ root }) {
  const [pids, program] = ['pids', 'killable'].map((name) => path.join(root, name))
  fs.writeFileSync(program, `#!/bin/sh\necho $$ >> '${pids}'\nexec '${server}' "$@"\n`, { mode: 0o755 })
  return { pids, program }
}

/** inThemes makes pictures in several themes. */
async function inThemes(setting) {
  const { pids, program } = killable(setting)
  await withExtension('pictures', (page, address) => pictures(page, address, { workspace: setting.workspace, pids }), ({ ours }) => ({ ours: { ...ours, 'rubric.server.path': program } }))(setting)
}

/** asPeopleDo is a workspace with a copied case, whose server may be killed. */
async function asPeopleDo(setting) {
  const { pids, program } = killable(setting)
  for (const [name, text] of Object.entries({
    'twice.eval.yaml': `evalcases:\n${copied.repeat(2)}`, 'short.eval.yaml': short, 'two.eval.yaml': two, 'mixed.eval.yaml': mixed, 'linked.eval.yaml': linked, 'promptfooconfig.yaml': promptfoo, ...waiting, ...recorded,
  })) bench.writeFile(path.join(setting.workspace, name), text)
  const branch = path.join(setting.workspace, 'branch.eval.yaml')
  const git = (...words) => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...words], { cwd: setting.workspace, encoding: 'utf8' })
    if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`)
  }
  fs.writeFileSync(branch, `evalcases:\n${copied.replace('copied', 'branch')}`)
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('commit', '--quiet', '--message=first')
  git('checkout', '--quiet', '-b', 'faulty')
  fs.writeFileSync(branch, `evalcases:\n${copied.replace('input', 'inptu')}`)
  git('commit', '--quiet', '--all', '--message=faulty')
  git('checkout', '--quiet', 'main')
  await withExtension('natural', async (page, address) => {
    await mistakes(page, address)
    await natural(page, address, { workspace: setting.workspace, pids, git })
  }, ({ ours, env }) => ({ ours: { ...ours, 'rubric.server.path': program, 'git.enabled': true }, env: { ...env, OPENAI_API_KEY: '' } }))(setting)
}

/** activation prints how long our activation took by the extension host's own measure, in new windows: first with no other extension in the host, then with VS Code's own. */
async function activation({ root, workspace, env }) {
  const none = path.join(root, 'none')
  fs.mkdirSync(none)
  for (const args of [['--builtin-extensions-dir', none], []]) {
    const vs = await bench.serve({ root, ours: { 'rubric.server.path': server }, env, vsix: path.join(extension, 'rubric.vsix'), args })
    const { browser, page } = await bench.startBrowser()
    const times = []
    try {
      for (let n = 0; n < 9; n++) {
        await page.goto(bench.address(vs, workspace, [['openFile', vs.remote(path.join(workspace, 'refund.eval.yaml'))]]))
        await page.locator('.codelens-decoration', { hasText: 'Run file' }).first().waitFor()
        const row = await runningExtension(page, 'Rubric')
        await row.getByText(/\d+ms/).first().waitFor()
        times.push(/\d+(?=ms)/.exec(await row.innerText())[0])
      }
    } finally {
      await browser.close()
      await vs.stop()
    }
    console.log(`  ${args.length > 0 ? 'alone' : "with VS Code's own extensions"}: ${times.join(', ')} ms`)
  }
}

/** inWindows is a workspace with a file outside of it, and one of several folders. */
async function inWindows(setting) {
  const folders = path.join(setting.root, 'two.code-workspace')
  for (const [name, text] of Object.entries({
    'mixed.eval.yaml': mixed, '../outside.eval.yaml': mixed, '../other/two.eval.yaml': two, '../third/two.eval.yaml': two,
    [folders]: JSON.stringify({ folders: [{ path: 'workspace' }, { path: 'other' }] }),
  })) bench.writeFile(path.resolve(setting.workspace, name), text)
  await withExtension('windows', (page, address) => windows(page, address, { workspace: setting.workspace, folders }))(setting)
}

/** withManyCases opens a file of many cases, and the same text as plain text. */
async function withManyCases(setting) {
  const file = path.join(setting.workspace, 'large.eval.yaml')
  const text = `evalcases:\n${Array.from({ length: 5000 }, (_, i) => copied.replace('copied', `case-${i}`)).join('')}`
  for (const name of ['large.eval.yaml', 'large.txt']) fs.writeFileSync(path.join(setting.workspace, name), text)
  await withExtension('large', (page, address) => large(page, address, () => {
    const times = Array.from({ length: 3 }, () => {
      const start = Date.now()
      spawnSync(server, ['run', '--format', 'jsonl', file], { encoding: 'utf8', maxBuffer: 1e9 })
      return Date.now() - start
    })
    return times.sort((a, b) => a - b)[1]
  }))(setting)
}

/** short is a case whose criteria are texts. */
const short = `evalcases:
  - id: short
    expected_outcome: Names the refund window
    input: Can I send it back?
    expected_output: The refund window is 30 days.
    rubrics:
      - Mentions "prepaid label"
      - Mentions "fourteen"
`

/** two is a file with two targets. */
const two = `execution: { targets: ['mock:Hello', 'mock:Bye'] }
tests:
  - { id: two, criteria: Greets, input: Hi, assertions: [{ type: contains, value: Hello }] }
`

/** mixed is a file with an error in its first case, written on Windows. */
const mixed = `evalcases:
  - id: wrong
    expected_outcome: Greets
    inptu: Hi
  - id: right
    expected_outcome: Greets
    input: Hi
    expected_output: Hello
    rubrics: [Mentions "Hello"]
`.replaceAll('\n', '\r\n')

/** linked is a case with a finding that points to another place, and one of several lines. */
const linked = `evalcases:
  - id: linked
    expected_outcome: Greets
    input: Hi
    expected_output: Hello
    rubrics:
      - id: hello
        expected_outcome: Mentions "Hello"
      - id: hello
        expected_outcome: Is polite
      - id: bands
        expected_outcome: Is kind
        score_ranges:
          - score_range:
              - 0
              - 3
            expected_outcome: Rude
          - score_range:
              - 6
              - 10
            expected_outcome: Kind
`

/** promptfoo is a configuration whose provider has no key. */
const promptfoo = `prompts: ['Answer: {{question}}']
providers: [openai:gpt-4o-mini]
tests:
  - description: window
    vars: { question: Can I send it back? }
    assert:
      - { type: contains, value: 30 days }
`

/** waiting is a case for a judge that waits, and the judge's answer. */
const waiting = {
  'waits.eval.yaml': `evalcases:
  - id: waits
    expected_outcome: Greets
    input: Hi
    expected_output: Hello
    rubrics: [{ id: polite, expected_outcome: Is polite }]
`,
  'answer.json': JSON.stringify({ checks: [{ id: 'polite', satisfied: true, reasoning: 'it is' }], overall_reasoning: '' }),
}

/** recorded is an evalset, its configuration, and results of a run of it. */
const recorded = (() => {
  const turn = (user, agent) => ({ user_content: { parts: [{ text: user }] }, final_response: { parts: [{ text: agent }] } })
  const hello = turn('Hello', 'Good morning.')
  const balance = turn('My balance?', 'It is 20 euros.')
  const result = (id, actual, expected) => ({
    eval_id: id, eval_set_id: 'bank', final_eval_status: 1, session_id: id, overall_eval_metric_results: [],
    eval_metric_result_per_invocation: [{ actual_invocation: actual, expected_invocation: expected }],
  })
  return {
    'bank/bank.evalset.json': JSON.stringify({ eval_set_id: 'bank', eval_cases: [{ eval_id: 'balance', conversation: [balance] }, { eval_id: 'hello', conversation: [hello] }] }, null, 1),
    'bank/test_config.json': JSON.stringify({ criteria: { response_match_score: 0.6 } }),
    'bank/bank.evalset_result.json': JSON.stringify({
      eval_set_result_id: 'r', eval_set_id: 'bank', creation_timestamp: 1,
      eval_case_results: [result('balance', turn('My balance?', 'Nothing to tell'), balance), result('hello', hello, hello)],
    }, null, 1),
  }
})()

/** copied is a case that stands twice in its file. */
const copied = `  - id: copied
    expected_outcome: Names the refund window
    input: Can I send it back?
    expected_output: The refund window is 30 days.
    rubrics: [Mentions 30 days]
`

/** withUser runs the walkthrough with a provider on this machine. */
async function withUser(setting) {
  const provider = await listen()
  try {
    await withExtension('by-hand', async (page, address) => {
      await walkthrough(page, address, setting.workspace, provider)
      const filesWithKey = fs.readdirSync(setting.root, { recursive: true }).filter((f) => !f.startsWith('tap') && fileContains(path.join(setting.root, f), provider.key))
      if (filesWithKey.length) throw new Error(`the key is in ${filesWithKey}`)
      const logs = fs.readdirSync(setting.root, { recursive: true }).filter((f) => /Rubric\.log$/.test(f))
      if (!logs.some((f) => fileContains(path.join(setting.root, f), '•••'))) throw new Error('the messages that keys are in were not logged')
    }, ({ ours, env }) => ({
      extensions: { 'redhat.vscode-yaml-0.0.1': path.resolve(here, '../yaml'), 'test.model-0.0.1': model },
      ours: { ...ours, 'rubric.trace.server': 'verbose' }, env: { ...env, OPENAI_BASE_URL: provider.address, OPENAI_API_KEY: '' },
    }))(setting)
  } finally {
    provider.stop()
  }
}

/** fileContains reports whether a file contains a text. */
function fileContains(file, text) {
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

/** onTheWeb tests the web extension, which has no server to tap. No request goes to other hosts. */
async function onTheWeb() {
  const web = await serveWeb(extension, path.resolve(here, '../web'))
  const { browser, page } = await bench.startBrowser()
  const foreign = foreignRequests(page, web.own)
  try {
    await Promise.all([bench.suite(page, 'web', () => page.goto(web.address)), webCase(page)])
    await page.frameLocator('iframe.webview.ready').frameLocator('iframe').getByText('1 of 1 passed').first().waitFor()
    await bench.savePicture(page, 'web')
    if (foreign.length) throw new Error(`asked for: ${foreign}`)
  } catch (fault) {
    await bench.saveFailed(page, 'web')
    throw fault
  } finally {
    await browser.close()
    await web.stop()
  }
}

/**
 * testWithTap gives a test a folder of files and a server behind a tap, and checks what
 * was said; `sessions` is how many there must be, if not any.
 */
async function testWithTap(name, test, { of = files, sessions } = {}) {
  const { root, workspace, remove } = bench.folder(of)
  const logs = path.join(root, 'tap')
  fs.mkdirSync(logs)
  console.log(name)
  try {
    await test({
      root, workspace, ours: { 'rubric.server.path': path.join(tap, 'tap.mjs') },
      env: { LSP_TAP_COMMAND: server, LSP_TAP_LOGS: logs, XDG_CACHE_HOME: path.join(root, 'cache') },
    })
    const sessionCount = fs.readdirSync(logs).length
    if (sessions !== undefined && sessionCount !== sessions) throw new Error(`${sessionCount} servers were started, and not ${sessions}`)
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
    await remove()
  }
}

/** testWithoutTap runs a test that has no server. */
async function testWithoutTap(name, test) {
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
  'in the extension host': (name) => testWithTap(name, inExtensionHost('host')),
  'without an eval file': (name) => testWithTap(name, inExtensionHost('plain'), { of: { 'plain.yaml': 'weight: -3\n' } }),
  'where nobody is trusted': (name) => testWithTap(name, untrusted, { sessions: 0 }),
  'where trust is granted': (name) => testWithTap(name, trusted, { sessions: 1 }),
  'where there is no server': (name) => testWithTap(name, missing, { sessions: 0 }),
  'as people do': (name) => testWithTap(name, asPeopleDo, { sessions: 0 }),
  'in several windows and folders': (name) => testWithTap(name, inWindows),
  'with 5,000 cases': (name) => testWithTap(name, withManyCases, { of: {}, sessions: 1 }),
  'from an empty folder': (name) => testWithTap(name, withExtension('empty', empty), { of: {}, sessions: 1 }),
  'by hand': (name) => testWithTap(name, withUser),
  'in the web': (name) => testWithoutTap(name, onTheWeb),
}
/** onRequest are measurements and pictures, which are made only by name. */
const onRequest = {
  'activation': (name) => testWithTap(name, activation, { sessions: 0 }),
  'pictures': (name) => testWithTap(name, inThemes, { sessions: 0 }),
}
// Servers are groups of their own, which end with this process.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
let failed = 0
for (const [name, test] of Object.entries({ ...tests, ...onRequest })) {
  if (only ? name !== only : name in onRequest) continue
  const start = Date.now()
  const ok = await test(name)
  if (!ok) failed++
  console.log(`${ok ? 'ok' : 'FAILED'} ${name} in ${((Date.now() - start) / 1000).toFixed(0)} s`)
}
process.exit(failed ? 1 : 0)
