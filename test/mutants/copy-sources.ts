import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** What builds and tests leave behind, and what is no source. */
const LEFT_OUT = new Set(['node_modules', '.git', 'out', 'dist', 'coverage', 'test-results', 'playwright-report'])

/**
 * A copy of the sources in a temporary folder, to be broken. Its packages are those of the original, by links, but what tests write below
 * node_modules stays in the copy: no two of them build into one folder.
 */
export function copySources(root: string): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'lockkeeper-mutants-')))
  // Some tests read the sources as another user.
  chmodSync(copy, 0o755)
  cpSync(root, copy, { recursive: true, filter: source => !LEFT_OUT.has(relative(root, source)) })
  mkdirSync(join(copy, 'node_modules/.cache'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name.startsWith('.') && name !== '.bin') continue
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  }
  return copy
}
