// node packages.mjs checks the packages that package.sh has written: their files, the size of the extension, and that
// each has a server for its platform.
import fs from 'node:fs'
import { open } from 'yauzl'

const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8'))

/** The maximum size of the scripts of the desktop, and of the web, in bytes. */
const maxSize = 400_000

/** needed are the files of every package, apart from sample, media and syntaxes. */
const needed = [
  '[Content_Types].xml', 'extension.vsixmanifest',
  ...['package.json', 'readme.md', 'changelog.md', 'LICENSE.txt', 'language-configuration.json', 'language-configuration-json.json',
    'dist/extension.js', 'dist/client.js', 'dist/browser.js', 'dist/server.js', 'dist/case-panel.js', 'dist/case-panel.css', 'dist/rubric.wasm', 'dist/licences.txt',
    'media/icon.png', 'media/grades.png', 'media/explorer.png'].map((name) => `extension/${name}`),
]
const allowed = /^extension\/(sample\/[^/]+\.(md|eval\.yaml)|media\/[^/]+\.svg|syntaxes\/[^/]+\.json)$/

/** servers recognize the program format of each platform: ELF, Mach-O or PE. */
const servers = {
  'linux-x64': elf(0x3e), 'linux-arm64': elf(0xb7), 'linux-armhf': elf(0x28, 32),
  'alpine-x64': elf(0x3e), 'alpine-arm64': elf(0xb7),
  'darwin-x64': macho(0x01000007), 'darwin-arm64': macho(0x0100000c),
  'win32-x64': pe(0x8664), 'win32-arm64': pe(0xaa64),
}

function elf(machine, bits = 64) {
  return (b) => b.readUInt32BE(0) === 0x7f454c46 && b[4] === bits / 32 && b.readUInt16LE(18) === machine
}

function macho(cpu) {
  return (b) => b.readUInt32LE(0) === 0xfeedfacf && b.readUInt32LE(4) === cpu
}

function pe(machine) {
  return (b) => {
    const at = b.readUInt32LE(0x3c)
    return b.toString('latin1', 0, 2) === 'MZ' && b.toString('latin1', at, at + 4) === 'PE\0\0' && b.readUInt16LE(at + 4) === machine
  }
}

/** faults returns what is wrong with a package. */
async function faults(target, files) {
  const problems = []
  const server = target === 'web' ? undefined : `extension/bin/rubric${target.startsWith('win32') ? '.exe' : ''}`
  const wanted = [...needed, ...(server ? [server] : [])]
  for (const name of wanted) if (!files.get(name)?.bytes.length) problems.push(`${name} is missing`)
  for (const name of files.keys()) if (!wanted.includes(name) && !allowed.test(name)) problems.push(`${name} should not be there`)
  for (const names of [['extension.js', 'client.js'], ['browser.js']]) {
    const size = names.reduce((sum, name) => sum + files.get(`extension/dist/${name}`)?.bytes.length, 0)
    if (size > maxSize) problems.push(`${names.join(' and ')} have ${size} bytes, and may have ${maxSize}`)
  }
  const manifest = files.get('extension.vsixmanifest')?.bytes.toString() ?? ''
  if (!manifest.includes(`TargetPlatform="${target}"`)) problems.push('its manifest is for another platform')
  const program = server && files.get(server)
  if (program && !servers[target](program.bytes)) problems.push(`${server} is no program of this platform`)
  if (program && !server.endsWith('.exe') && !(program.mode & 0o100)) problems.push(`${server} cannot be executed`)
  return problems
}

/** contents returns the files of a package with their bytes and modes. */
async function contents(file) {
  const archive = await new Promise((resolve, reject) => open(file, { lazyEntries: true, autoClose: true }, (fault, zip) => (fault ? reject(fault) : resolve(zip))))
  const files = new Map()
  await new Promise((resolve, reject) => {
    archive.on('end', resolve).on('error', reject).on('entry', (entry) => {
      archive.openReadStream(entry, (fault, stream) => {
        if (fault) return reject(fault)
        const chunks = []
        return stream.on('data', (chunk) => chunks.push(chunk)).on('error', reject).on('end', () => {
          files.set(entry.fileName, { bytes: Buffer.concat(chunks), mode: entry.externalFileAttributes >>> 16 })
          archive.readEntry()
        })
      })
    })
    archive.readEntry()
  })
  return files
}

let wrong = 0
for (const target of [...Object.keys(servers), 'web']) {
  const file = `package/rubric-${target}-${version}.vsix`
  const problems = fs.existsSync(file) ? await faults(target, await contents(file)) : ['it was not written']
  wrong += problems.length
  console.log(`${problems.length ? 'FAILED' : 'ok'} ${file}${fs.existsSync(file) ? `, ${(fs.statSync(file).size / 1e6).toFixed(1)} MB` : ''}${problems.map((s) => `\n  ${s}`).join('')}`)
}
process.exit(wrong ? 1 : 0)
