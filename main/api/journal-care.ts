import { ok } from '../../shared/domain/result.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about the journal itself. */
export function journalHandlers({
  journal,
  runs,
}: Pick<ApiServices, 'journal' | 'runs'>): Pick<
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
    'journal.export': async ({ path }) => journal.care.copyTo(path),
    'journal.import': async ({ path }) => journal.care.takeOver({ file: path, by }),
    'journal.prune': async ({ before, dryRun }) => journal.care.prune({ before, dryRun, by }),
  }
}
