import type { CommandSpec, OperandSpec } from './argument-specs.ts'
import { yes } from './argument-words.ts'

const file: OperandSpec = { name: 'FILE', required: true, help: 'a journal, such as journal.db.' }

/** Commands about the journal itself. */
export const journalCommands: readonly CommandSpec[] = [
  {
    path: ['journal', 'status'],
    summary: 'where the journal is, what it holds, and whether it can be written',
    about: [
      'Shows the head of its chain and the fingerprint of the key of this installation, by which reports are signed: write both down elsewhere.',
      'Exit code 1 when it cannot be written, and so no run can be started.',
    ],
    operands: [],
    flags: [],
    examples: ['journal status', 'journal status -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/journal-look.ts')).showJournal,
  },
  {
    path: ['journal', 'check'],
    summary: 'whether everything in the journal is as it was written',
    about: [
      'Recomputes the hash chain over all entries, looks at every page of the file, and holds it against what is known of it outside. Only reads.',
      'Exit code 1 when something was changed, is missing or damaged, or there is no file. Entries that retention removed are not missing.',
      'The head of the chain is worth writing down elsewhere: a journal whose chain contains it (--head) has all that was there then, as it was.',
    ],
    operands: [],
    flags: [
      {
        name: 'head',
        value: { kind: 'text', placeholder: 'HASH' },
        help: 'a head that was written down, 64 hexadecimal digits (or NUMBER:HASH): exit code 1 when the chain does not contain it',
      },
    ],
    examples: ['journal check', 'journal check --head 1d0c…'],
    needs: 'contract',
    load: async () => (await import('../commands/journal-look.ts')).checkJournal,
  },
  {
    path: ['journal', 'accept'],
    summary: 'go on with a journal of which something known is gone',
    about: [
      'A journal that was emptied, taken away, exchanged or put back from an older copy, or whose newest entries are gone, can only be read. Put the right file back where you can.',
      'Where it is gone for good, this goes on with what is there, and keeps who accepted that, why, and what was gone.',
      'A file that is damaged, or shorter than it says, cannot be accepted: put back a copy of it first.',
    ],
    operands: [],
    flags: [{ name: 'reason', value: { kind: 'text', placeholder: 'TEXT' }, help: 'why; it is needed' }],
    examples: ['journal accept --reason "the disk of bastion-1 died, restored from the backup of 2026-11-20"'],
    needs: 'contract',
    load: async () => (await import('../commands/journal-look.ts')).acceptJournal,
  },
  {
    path: ['journal', 'export'],
    summary: 'write a whole, consistent copy of the journal',
    about: ['Also while runs go on. A file that is there is never overwritten; only you can read the copy.'],
    operands: [{ ...file, help: 'where the copy goes.' }],
    flags: [],
    examples: ['journal export /backup/journal-2026-01.db'],
    needs: 'contract',
    load: async () => (await import('../commands/journal-copy.ts')).exportJournalTo,
  },
  {
    path: ['journal', 'import'],
    summary: 'take over runs and windows of another journal that are not here yet',
    about: [
      'The file is only read, and only taken from when its own chain holds. Times stay as they were.',
      'Runs and windows that are not over stay there. Importing again takes nothing twice.',
    ],
    operands: [file],
    flags: [],
    examples: ['journal import /backup/journal-2026-01.db'],
    needs: 'contract',
    load: async () => (await import('../commands/journal-copy.ts')).importJournalFrom,
  },
  {
    path: ['journal', 'prune'],
    summary: 'retention: remove what ended before a day',
    about: [
      'A whole copy is written beside the journal first, and verified. Runs and windows that are not over are never removed, nor are runs of a window that stays.',
      'The chain keeps its digests, and a record says who removed what and when.',
    ],
    operands: [],
    flags: [
      {
        name: 'before',
        value: { kind: 'text', placeholder: 'DATE' },
        help: 'a day here, such as 2026-01-31, or a time in ISO 8601: what ended before it goes',
      },
      { name: 'dry-run', value: { kind: 'switch' }, help: 'only tell what would be removed' },
      yes,
    ],
    examples: ['journal prune --before 2026-01-01 --dry-run', 'journal prune --before 2026-01-01'],
    needs: 'contract',
    load: async () => (await import('../commands/journal-prune.ts')).pruneJournalBefore,
  },
]
