import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { fileFault } from '../platform/files/file-words.ts'
import { readPrivateFile, removeFile, writePrivateFile } from '../platform/files/private-file.ts'
import { type SecretBox, sealedText, secretIn } from '../platform/files/secret-box.ts'

/** Secrets of a cluster's signals: addresses, keys, tokens and passwords, one file each, readable only by this user. */
export interface SignalSecrets {
  keep(cluster: string, part: string, secret: string): Result<void>
  read(cluster: string, part: string): Result<string>
  forget(cluster: string, part: string): void
  forgetAll(cluster: string): void
}

/** Stores secrets in a folder of the registry, sealed if the face has a keychain. Other faces cannot open a sealed secret. */
export function openSignalSecrets(directory: string, box: SecretBox | null): SignalSecrets {
  const folderOf = (cluster: string) => join(directory, 'secrets', nameOf(cluster))
  const pathOf = (cluster: string, part: string) => join(folderOf(cluster), nameOf(part))
  return {
    keep: (cluster, part, secret) => {
      const text = sealedText(secret, box)
      if (text === null) return failed(keychainSilent(cluster))
      try {
        mkdirSync(folderOf(cluster), { recursive: true, mode: 0o700 })
      } catch (error) {
        const path = folderOf(cluster)
        return failed(
          refusal('bad-input', because('OwnFolderNotMade', { path, fault: fileFault(error) }), { target: path }),
        )
      }
      return writePrivateFile(pathOf(cluster, part), text, 'unlocked')
    },
    read: (cluster, part) => {
      const read = readPrivateFile(pathOf(cluster, part))
      if (!read.ok) return read
      if (read.value === null) return failed(missing(cluster, part))
      const opened = secretIn(read.value, box)
      return opened === null ? failed(closed(cluster, part)) : ok(opened)
    },
    forget: (cluster, part) => removeFile(pathOf(cluster, part)),
    forgetAll: cluster => rmSync(folderOf(cluster), { recursive: true, force: true }),
  }
}

function keychainSilent(cluster: string) {
  return refusal('not-permitted', because('KeychainLocked'), { target: `cluster/${cluster}` })
}

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

function missing(cluster: string, part: string) {
  return refusal('not-found', because('SecretNotKept', { part, cluster }), { target: `cluster/${cluster}` })
}

function closed(cluster: string, part: string) {
  return refusal('not-permitted', because('SecretSealed', { part, cluster }), { target: `cluster/${cluster}` })
}
