import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CHAIN_BEGIN } from '../../../shared/domain/journal-chain.ts'
import { jsonOf } from '../../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { HeadAnchor } from '../../ports/head-anchor.ts'
import { readPrivateFile, writePrivateFile } from '../files/private-file.ts'
import { hasInstallationKey, openInstallationKey } from './installation-key.ts'
import { headText, type Signer, signatureHolds } from './signature.ts'

const Kept = z.strictObject({
  format: z.literal(1),
  seq: z.number().int(),
  hash: z.string(),
  first: z.string(),
  at: z.string(),
  publicKey: z.string().nullable(),
  signature: z.string().nullable(),
})

/** The identity of an installation: its key, or why it has none, and the last known head of its journal. */
interface Installation {
  readonly key: Result<Signer>
  readonly anchor: HeadAnchor
}

/** Opens the identity in the data directory. The anchor is created before the key: a key without an anchor means that the anchor was removed. */
export function openInstallation(directory: string): Installation {
  const begun = begin(directory)
  const key = begun.ok ? openInstallationKey(directory) : begun
  return { key, anchor: openHeadAnchor(directory, key.ok ? key.value : null) }
}

/** The identity for reading only; creates nothing. Key null: it has none yet. */
export function lookAtInstallation(directory: string): {
  readonly key: Result<Signer | null>
  readonly anchor: HeadAnchor
} {
  const key = hasInstallationKey(directory) ? openInstallationKey(directory) : ok(null)
  return { key, anchor: openHeadAnchor(directory, null) }
}

function begin(directory: string): Result<void> {
  const path = join(directory, FILE)
  if (existsSync(path) || hasInstallationKey(directory)) return ok(undefined)
  const nothing = { format: 1, seq: 0, hash: CHAIN_BEGIN, first: CHAIN_BEGIN, at: '', publicKey: null, signature: null }
  return writePrivateFile(path, `${JSON.stringify(nothing, null, 2)}\n`, 'unlocked')
}

const FILE = 'journal-head.json'

/** The last known head of the journal, signed, in `journal-head.json` of the data directory. */
function openHeadAnchor(directory: string, signer: Signer | null): HeadAnchor {
  const path = join(directory, FILE)
  const unusable = (code: 'HeadAnchorChanged' | 'HeadAnchorMissing' | 'HeadAnchorUnreadable') =>
    failed(refusal('damaged', because(code, { path }), { target: path }))
  return {
    load: () => {
      const read = readPrivateFile(path)
      if (!read.ok) return read
      if (read.value === null) {
        return hasInstallationKey(directory) ? unusable('HeadAnchorMissing') : ok(null)
      }
      const kept = Kept.safeParse(jsonOf(read.value))
      if (!kept.success) return unusable('HeadAnchorUnreadable')
      const { seq, hash, first, at, publicKey, signature } = kept.data
      if (publicKey !== null && !signatureHolds(publicKey, headText({ seq, hash }), signature ?? '')) {
        return unusable('HeadAnchorChanged')
      }
      return ok({ seq, hash, first, at })
    },
    keep: head => {
      const signed = { publicKey: signer?.publicKey ?? null, signature: signer?.sign(headText(head)) ?? null }
      return writePrivateFile(path, `${JSON.stringify({ format: 1, ...head, ...signed }, null, 2)}\n`, 'unlocked')
    },
  }
}
