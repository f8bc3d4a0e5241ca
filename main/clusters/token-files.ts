import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ResolvedCloud } from '../adapters/openstack/resolved-cloud.ts'
import { readPrivateFile, writePrivateFile } from '../platform/files/private-file.ts'
import { isSealedText, type SecretBox, sealedText, secretIn } from '../platform/files/secret-box.ts'

/** Tokens of clouds, one file each, readable by this user only. They end by themselves, mostly within an hour. */
export interface TokenFiles {
  of(cloud: ResolvedCloud): { load(): string | null; save(text: string): void }
  /** Forgets all of them. */
  clear(): void
}

/**
 * Keeps tokens in a folder of the data directory, sealed where the face has a keychain; a folder that cannot be used only costs time.
 * A token that another face kept and this one cannot open is none to it: it logs in again and keeps its own in that place.
 */
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

/** A token that lies open is not taken over by a face with a keychain: its next login seals one. */
function opened(text: string, box: SecretBox | null): string | null {
  return box !== null && !isSealedText(text) ? null : secretIn(text, box)
}

/** Names who logs in where, without any secret in it: a hash of a password would be one to guess at. */
function fingerprintOf(cloud: ResolvedCloud): string {
  const open = JSON.stringify(cloud, (key, value: unknown) => (SECRET_KEYS.has(key) ? undefined : value))
  return createHash('sha256').update(open).digest('hex').slice(0, 32)
}

const SECRET_KEYS: ReadonlySet<string> = new Set(['password', 'secret', 'token'])
