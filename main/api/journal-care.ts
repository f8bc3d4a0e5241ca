import { failure } from '../../shared/domain/failure.ts'
import { failed, ok } from '../../shared/domain/result.ts'
import { kindAt } from '../files/named-file.ts'
import { placeForPage } from '../files/page-exports.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about the journal itself. */
export function journalHandlers({
  journal,
  runs,
  face,
  installation,
}: Pick<ApiServices, 'journal' | 'runs' | 'face' | 'installation'>): Pick<
  Handlers,
  'journal.status' | 'journal.check' | 'journal.export' | 'journal.import' | 'journal.prune'
> {
  const { operator, machine } = runs.driver
  const by = { operator, machine }
  return {
    'journal.status': async () => journal.care.status(),
    'journal.check': async () => {
      const checked = journal.care.check()
      return checked.ok ? ok({ ...checked.value, database: [...checked.value.database] }) : checked
    },
    'journal.export': async ({ path }) => {
      // At a terminal the operator says where; what a page says may be somebody else's words.
      const place = face.kind === 'terminal' ? ok(path) : await placeForPage(installation.dataDirectory, path)
      return place.ok ? journal.care.copyTo(place.value) : place
    },
    'journal.import': async ({ path }) => {
      // SQLite opens what it is told to, and a pipe would keep the whole console waiting.
      if ((await kindAt(path)) !== 'other') return journal.care.takeOver({ file: path, by })
      return failed(failure('bad-input', `${path} is not a regular file. Name a journal.`, { target: path }))
    },
    'journal.prune': async ({ before, dryRun }) => journal.care.prune({ before, dryRun, by }),
  }
}
