// Finds the language server: in the setting, in the extension, or on PATH.
import path from 'node:path'

/** ServerProgram is a server's path and where it was found. */
export interface ServerProgram {
  command: string
  source: 'setting' | 'bundled' | 'path'
}

/** SearchContext is the input of a search. */
export interface SearchContext {
  setting: string
  extension: string // the extension's folder
  path: string // the PATH variable
  pathext?: string // Windows' list of executable extensions
  home: string
  folder?: string // the workspace's folder
  platform: NodeJS.Platform
  isExecutable: (file: string) => boolean
}

/** findServer finds the server, or throws with the places that it searched. */
export function findServer(s: SearchContext): ServerProgram {
  const paths = s.platform === 'win32' ? path.win32 : path.posix
  if (s.setting) {
    const command = resolveSetting(s, paths)
    if (!s.isExecutable(command)) throw new Error(`\`rubric.server.path\` is \`${s.setting}\`, which is not a program`)
    return { command, source: 'setting' }
  }
  const name = s.platform === 'win32' ? 'rubric.exe' : 'rubric'
  const bundled = paths.join(s.extension, 'bin', name)
  if (s.isExecutable(bundled)) return { command: bundled, source: 'bundled' }
  for (const folder of s.path.split(paths.delimiter)) {
    // A relative folder is part of the workspace, whose programs must not run.
    if (!paths.isAbsolute(folder)) continue
    const command = paths.join(folder, name)
    if (s.isExecutable(command)) return { command, source: 'path' }
  }
  throw new Error('no `rubric` is bundled with the extension or on PATH; install it, or set `rubric.server.path`')
}

function resolveSetting(s: SearchContext, paths: path.PlatformPath) {
  const expanded = s.setting.replace(/^~(?=[\\/])/, s.home).replace('${workspaceFolder}', s.folder ?? '')
  return paths.isAbsolute(expanded) ? expanded : paths.resolve(s.folder ?? s.home, expanded)
}

/** versionWarning compares the versions of extension and server, which are released together. It returns '' if they match. */
export function versionWarning(extension: string, server: string): string {
  const release = (version: string) => version.replace(/^v/, '').split('.', 2).join('.')
  return release(extension) === release(server)
    ? ''
    : `this extension is version ${extension} and the server ${server}: some features may be missing`
}
