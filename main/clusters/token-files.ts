import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ResolvedCloud } from '../adapters/openstack/resolved-cloud.ts'
import { readPrivateFile, writePrivateFile } from '../platform/files/private-file.ts'
import { isSealedText, type SecretBox, sealedText, secretIn } from '../platform/files/secret-box.ts'

/** Tokens of clouds, one file each, readable only by this user. They expire, mostly within an hour. */
export interface TokenFiles {
  of(cloud: ResolvedCloud): { load(): string | null; save(text: string): void }
  clear(): void
}

/** Stores tokens below the data directory, sealed if the face has a keychain. A token that cannot be opened only costs a login. */
export function openTokenFiles(directory: string, box: SecretBox | null): TokenFiles {
  const folder = join(directory, 'tokens')
  return {
    of: cloud => {
      const path = join(folder, `${fingerprintOf(cloud)}.json`)
      return {
        load: () => {
          const read = readPrivateFile(path)
          return read.ok && read.value !== null ? opened(read.value, box) : null
        },
        save: text => {
          const kept = sealedText(text, box)
          if (kept === null) return
          try {
            mkdirSync(folder, { recursive: true, mode: 0o700 })
            writePrivateFile(path, kept)
          } catch {
            // The next start logs in again.
          }
        },
      }
    },
    clear: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A face with a keychain ignores an unsealed token: its next login seals one. */
function opened(text: string, box: SecretBox | null): string | null {
  return box !== null && !isSealedText(text) ? null : secretIn(text, box)
}

/** Identifies user and cloud without any secret: a hash of a password could be brute-forced. */
function fingerprintOf(cloud: ResolvedCloud): string {
  const open = JSON.stringify(cloud, (key, value: unknown) => (SECRET_KEYS.has(key) ? undefined : value))
  return createHash('sha256').update(open).digest('hex').slice(0, 32)
}

const SECRET_KEYS: ReadonlySet<string> = new Set(['password', 'secret', 'token'])
