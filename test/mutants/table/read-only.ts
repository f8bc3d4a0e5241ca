import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'

/** A journal that cannot be written takes no runs, and nothing is done that it could not keep. */
export const READ_ONLY_MUTANTS: readonly Mutant[] = [
  {
    name: 'a-read-only-journal-takes-runs',
    harm: 'A run starts although its journal cannot be written.',
    changes: [
      {
        file: 'main/journal/run-writer.ts',
        from: '  if (readOnly !== null) throw new JournalRefused(readOnly)\n',
        to: '',
      },
    ],
    caughtBy: unit('journal/read-only', 'a journal of a newer Lockkeeper is open for reading only'),
  },
  {
    name: 'a-read-only-journal-is-pruned',
    harm: 'Entries are taken out of a journal that is not whole.',
    changes: [
      {
        file: 'main/journal/journal-care.ts',
        from: 'if (readOnly !== null && !wish.dryRun) return failed(readOnly)',
        to: '',
      },
    ],
    caughtBy: unit('journal/read-only', 'a journal of a newer Lockkeeper is open for reading only'),
  },
  {
    name: 'a-read-only-journal-is-imported-into',
    harm: 'Runs are imported into a journal that is not whole.',
    changes: [
      {
        file: 'main/journal/journal-care.ts',
        from: '      if (readOnly !== null) return failed(readOnly)\n      return refuseRelative(wish.file)',
        to: '      return refuseRelative(wish.file)',
      },
    ],
    caughtBy: unit('journal/read-only', 'a journal of a newer Lockkeeper is open for reading only'),
  },
]
