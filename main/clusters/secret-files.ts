import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Cluster } from '../../shared/domain/cluster.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { fileFault } from '../platform/files/file-words.ts'
import { writePrivateFile } from '../platform/files/private-file.ts'

/** Credential files from another source, such as a Secret: a folder for each cloud, with a subfolder for each content. */
export interface SecretFiles {
  /** Writes the files of a cloud, readable only by this user, and returns their folder; different content has a different folder. */
  write(cloud: string, files: Readonly<Record<string, string>>): Result<string>
  /** Removes all contents of a cloud except this one; null means all of them. Fails if it cannot remove one. */
  keepOnly(cloud: string, folder: string | null): Result<void>
  clouds(): readonly string[]
}

export function openSecretFiles(directory: string): SecretFiles {
  return {
    write: (cloud, files) => {
      if (!isName(cloud)) return failed(noName(cloud))
      const names = Object.keys(files).sort()
      const sum = createHash('sha256')
      for (const name of names) sum.update(JSON.stringify([name, files[name]]))
      const folder = join(directory, cloud, sum.digest('hex').slice(0, 16))
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        for (const each of [directory, join(directory, cloud), folder]) chmodSync(each, 0o700)
      } catch (error) {
        return failed(unusable(folder, error))
      }
      for (const name of names) {
        const written = writePrivateFile(join(folder, name), files[name] ?? '', 'unlocked')
        if (!written.ok) return written
      }
      return ok(folder)
    },
    keepOnly: (cloud, kept) => {
      // Removal never follows a path that somebody else wrote.
      if (!isName(cloud)) return failed(noName(cloud))
      const own = join(directory, cloud)
      try {
        if (kept === null) rmSync(own, { recursive: true, force: true })
        else {
          for (const name of readdirSync(own)) {
            if (join(own, name) !== kept) rmSync(join(own, name), { recursive: true, force: true })
          }
        }
        return ok(undefined)
      } catch (error) {
        return failed(unusable(own, error))
      }
    },
    clouds: () => {
      try {
        return readdirSync(directory)
      } catch {
        return []
      }
    },
  }
}

function isName(cloud: string): boolean {
  return Cluster.shape.name.safeParse(cloud).success
}

function noName(cloud: string) {
  return refusal('bad-input', because('SecretFilesNameUnusable', { name: cloud.slice(0, 70) }))
}

function unusable(path: string, error: unknown) {
  return refusal('bad-input', because('SecretFilesNotKept', { path, fault: fileFault(error) }), { target: path })
}
