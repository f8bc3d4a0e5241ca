import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** Results of builds and tests, and other files that are not sources. */
const LEFT_OUT = new Set(['node_modules', '.git', 'out', 'dist', 'coverage', 'test-results', 'playwright-report'])

/**
 * A copy of the sources in a temporary folder, to be broken. Its packages are those of the original by hard links, where one file system has both:
 * a bundler that follows a symbolic link sees another place. What tests keep below node_modules stays in the copy: no two of them build into one folder.
 */
export function copySources(root: string): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'lockkeeper-mutants-')))
  // Some tests read the sources as another user.
  chmodSync(copy, 0o755)
  cpSync(root, copy, { recursive: true, filter: source => !LEFT_OUT.has(relative(root, source)) })
  const packages = join(copy, 'node_modules')
  const linked = spawnSync('cp', ['-al', join(root, 'node_modules'), packages])
  if (linked.status !== 0) {
    rmSync(packages, { recursive: true, force: true })
    cpSync(join(root, 'node_modules'), packages, { recursive: true, verbatimSymlinks: true })
  }
  for (const kept of ['.cache', '.vite']) rmSync(join(packages, kept), { recursive: true, force: true })
  return copy
}
