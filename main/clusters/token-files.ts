import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ResolvedCloud } from '../openstack/resolved-cloud.ts'
import { readPrivateFile, writePrivateFile } from './private-file.ts'

/** Tokens of clouds, one file each, readable by this user only. They end by themselves, mostly within an hour. */
export interface TokenFiles {
  of(cloud: ResolvedCloud): { load(): string | null; save(text: string): void }
  /** Forgets all of them. */
  clear(): void
}

/** Keeps tokens in a folder of the data directory; a folder that cannot be used only costs time. */
export function openTokenFiles(directory: string): TokenFiles {
  const folder = join(directory, 'tokens')
  return {
    of: cloud => {
      const path = join(folder, `${fingerprintOf(cloud)}.json`)
      return {
        load: () => {
          const read = readPrivateFile(path)
          return read.ok ? read.value : null
        },
        save: text => {
          try {
            mkdirSync(folder, { recursive: true, mode: 0o700 })
            writePrivateFile(path, text)
          } catch {
            // The next start logs in again.
          }
        },
      }
    },
    clear: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Names who logs in where, without any secret in it: a hash of a password would be one to guess at. */
function fingerprintOf(cloud: ResolvedCloud): string {
  const open = JSON.stringify(cloud, (key, value: unknown) => (SECRET_KEYS.has(key) ? undefined : value))
  return createHash('sha256').update(open).digest('hex').slice(0, 32)
}

const SECRET_KEYS: ReadonlySet<string> = new Set(['password', 'secret', 'token'])
