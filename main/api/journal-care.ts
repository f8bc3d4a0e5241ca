import type { ChainHead } from '../../shared/domain/journal-chain.ts'
import type { Signature } from '../../shared/domain/report.ts'
import { failed, ok } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { kindAt } from '../platform/files/named-file.ts'
import { placeForPage } from '../platform/files/page-exports.ts'
import { headText, type Signer } from '../platform/settings/signature.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

export function journalHandlers({
  journal,
  runs,
  face,
  installation,
  signer,
  importForeign,
}: Pick<ApiServices, 'journal' | 'runs' | 'face' | 'installation' | 'signer' | 'importForeign'>): Pick<
  Handlers,
  'journal.status' | 'journal.check' | 'journal.accept' | 'journal.export' | 'journal.import' | 'journal.prune'
> {
  const { operator, machine } = runs.driver
  const by = { operator, machine }
  return {
    'journal.status': async () => {
      const status = journal.care.status()
      if (!status.ok) return status
      const { head } = status.value
      return ok({ ...status.value, signed: head === null || signer === null ? null : signedHead(head, signer) })
    },
    'journal.accept': async ({ reason }) => journal.care.accept({ reason, by }),
    'journal.check': async ({ head }) => {
      const checked = journal.care.check({ head: head ?? null })
      return checked.ok ? ok({ ...checked.value, database: [...checked.value.database] }) : checked
    },
    'journal.export': async ({ path }) => {
      // At a terminal the operator chooses the path; a page is not trusted with one.
      const place = face.kind === 'terminal' ? ok(path) : await placeForPage(installation.dataDirectory, path)
      return place.ok ? journal.care.copyTo(place.value) : place
    },
    'journal.import': async ({ path }) => {
      // SQLite opens any path, and a pipe would block the console.
      if ((await kindAt(path)) !== 'other') {
        return importForeign({ file: path, by })
      }
      return failed(refusal('bad-input', because('JournalNotRegularFile', { path }), { target: path }))
    },
    'journal.prune': async ({ before, dryRun }) => journal.care.prune({ before, dryRun, by }),
  }
}

function signedHead(head: ChainHead, { publicKey, fingerprint, sign }: Signer): Signature {
  return { algorithm: 'ed25519', publicKey, fingerprint, value: sign(headText(head)) }
}
