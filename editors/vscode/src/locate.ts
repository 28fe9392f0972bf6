// Where the language server is: the setting, else the one that came with the
// extension, else the one on PATH.
import path from 'node:path'

/** Found is a server and where it was found. */
export interface Found {
  command: string
  source: 'setting' | 'bundled' | 'path'
}

/** Surroundings are what a search depends on. */
export interface Surroundings {
  setting: string
  extension: string // the extension's folder
  path: string // the PATH variable
  pathext?: string // Windows' list of executable extensions
  home: string
  folder?: string // the workspace's
  platform: NodeJS.Platform
  executable: (file: string) => boolean
}

/** locate finds the server; the error says where it was looked for. */
export function locate(s: Surroundings): Found {
  const paths = s.platform === 'win32' ? path.win32 : path.posix
  if (s.setting) {
    const command = absolute(s, paths)
    if (!s.executable(command)) throw new Error(`\`rubric.server.path\` is \`${s.setting}\`, and there is no program`)
    return { command, source: 'setting' }
  }
  const name = s.platform === 'win32' ? 'rubric.exe' : 'rubric'
  const bundled = paths.join(s.extension, 'bin', name)
  if (s.executable(bundled)) return { command: bundled, source: 'bundled' }
  for (const folder of s.path.split(paths.delimiter)) {
    // A relative folder would be one of the workspace's, and so would the program.
    if (!paths.isAbsolute(folder)) continue
    const command = paths.join(folder, name)
    if (s.executable(command)) return { command, source: 'path' }
  }
  throw new Error('there is no `rubric` beside the extension or on PATH; install it, or set `rubric.server.path`')
}

function absolute(s: Surroundings, paths: path.PlatformPath) {
  const written = s.setting.replace(/^~(?=[\\/])/, s.home).replace('${workspaceFolder}', s.folder ?? '')
  return paths.isAbsolute(written) ? written : paths.resolve(s.folder ?? s.home, written)
}

/** skew says how a server's version differs from the extension's, '' if it fits: both move together. */
export function skew(extension: string, server: string): string {
  const line = (version: string) => version.replace(/^v/, '').split('.', 2).join('.')
  return line(extension) === line(server)
    ? ''
    : `this extension is version ${extension} and the server ${server}: some features may be missing`
}
