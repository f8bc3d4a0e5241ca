import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** What a build says of itself: two builds of one commit say the same. */
export interface BuildFacts {
  readonly version: string
  /** Twelve digits, with `+` where files were changed since; `unknown` outside of a repository. */
  readonly commit: string
  /** The time of the commit, or SOURCE_DATE_EPOCH: never the time at which the build ran. */
  readonly at: string
}

/** Asks the repository once for what this build is of. */
export function readBuildFacts(root: string): BuildFacts {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  const head = git(root, 'rev-parse', '--short=12', 'HEAD')
  const changed = git(root, 'status', '--porcelain', '--untracked-files=no')
  return {
    version,
    commit: process.env.LOCKKEEPER_COMMIT ?? (head === null ? 'unknown' : `${head}${changed === '' ? '' : '+'}`),
    at: new Date(sourceDateEpoch(root) * 1000).toISOString().replace('.000Z', 'Z'),
  }
}

/** Seconds since 1970 that everything which is made bears as its time. */
function sourceDateEpoch(root: string): number {
  const given = process.env.SOURCE_DATE_EPOCH ?? git(root, 'log', '-1', '--format=%ct') ?? '0'
  if (!/^\d+$/.test(given)) throw new Error(`SOURCE_DATE_EPOCH is "${given}": seconds since 1970 are needed`)
  return Number(given)
}

/** What git says of our repository; null outside of one. Sources that somebody unpacked inside another repository do not belong to its commit. */
function git(root: string, ...words: readonly string[]): string | null {
  const top = said(root, 'rev-parse', '--show-toplevel')
  return top !== null && realpathSync(top) === realpathSync(root) ? said(root, ...words) : null
}

function said(root: string, ...words: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
