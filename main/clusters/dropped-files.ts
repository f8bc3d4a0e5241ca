import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Cluster } from '../../shared/domain/cluster.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { fileFault } from '../platform/files/file-words.ts'
import { removeFile, writePrivateFile } from '../platform/files/private-file.ts'

const IN_USE_MS = 60 * 60_000

/** Copies a file that was dropped on a page, whose browser hides the path, into `dropped/` of the data directory. Returns the path. */
export function keepDroppedFile(dataDirectory: string, name: string, content: string): Result<string> {
  const folder = folderIn(dataDirectory)
  const plain = name
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(-80)
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12)
  const path = join(folder, `${digest}-${plain === '' ? 'file' : plain}`)
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true })
  } catch (error) {
    return failed(
      refusal('bad-input', because('PathUnusable', { path: folder, fault: fileFault(error) }), {
        target: folder,
      }),
    )
  }
  const written = writePrivateFile(path, content, 'unlocked')
  return written.ok ? ok(path) : written
}

/** Removes copies that no registered cluster uses, an hour after they were dropped: they may contain secrets. */
export function forgetDroppedFiles(dataDirectory: string, clusters: readonly Cluster[], now: number): void {
  // Compares names, which derive from the content: the folder's path may differ from when a cluster was added.
  const used = new Set(
    clusters
      .flatMap(({ kubeconfig, cloud }) => [...kubeconfig.paths, ...(cloud ? [cloud.path] : [])])
      .map(path => basename(path)),
  )
  const folder = folderIn(dataDirectory)
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (!used.has(name) && now - statSync(path).mtimeMs > IN_USE_MS) removeFile(path)
    }
  } catch {
    // The folder does not exist, or the next call retries.
  }
}

function folderIn(dataDirectory: string): string {
  return join(dataDirectory, 'dropped')
}
