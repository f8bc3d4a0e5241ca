import type { CommandSpec, OperandSpec } from './argument-specs.ts'
import { yes } from './argument-words.ts'

const file: OperandSpec = { name: 'FILE', required: true, help: 'a journal, such as journal.db.' }

export const journalCommands: readonly CommandSpec[] = [
  {
    path: ['journal', 'status'],
    summary: 'show where the journal is, what it contains, and whether it can be written',
    about: [
      'Shows the head of its chain and the fingerprint of the key that signs reports. Keep both elsewhere.',
      'Exit code 1 when it cannot be written; no run can start then.',
    ],
    operands: [],
    flags: [],
    examples: ['journal status', 'journal status -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/journal-look.ts')).showJournal,
  },
  {
    path: ['journal', 'check'],
    summary: 'check that the journal is intact',
    about: [
      'Recomputes the hash chain of all entries, reads every page of the file, and compares the head with the copies kept outside. Changes nothing.',
      'Exit code 1 when anything was changed, is missing or damaged, or there is no file. Entries that retention removed do not count as missing.',
      'Keep the head of the chain elsewhere: a journal whose chain contains it (--head) still has every entry up to it, unchanged.',
    ],
    operands: [],
    flags: [
      {
        name: 'head',
        value: { kind: 'text', placeholder: 'HASH' },
        help: 'a head that you kept, 64 hexadecimal digits (or NUMBER:HASH); exit code 1 when the chain does not contain it',
      },
    ],
    examples: ['journal check', 'journal check --head 1d0c…'],
    needs: 'contract',
    load: async () => (await import('../commands/journal-look.ts')).checkJournal,
  },
  {
    path: ['journal', 'accept'],
    summary: 'continue with a journal that lost known entries',
    about: [
      'A journal that was emptied, removed, replaced or restored from an older copy, or that lost its newest entries, is read-only. Restore the right file if you can.',
      'If the missing part cannot be recovered, continue with what is left. The journal records who accepted this, why, and what was missing.',
      'A file that is damaged or truncated cannot be accepted: restore a copy first.',
    ],
    operands: [],
    flags: [{ name: 'reason', value: { kind: 'text', placeholder: 'TEXT' }, help: 'the reason; required' }],
    examples: ['journal accept --reason "the disk of bastion-1 died, restored from the backup of 2026-11-20"'],
    needs: 'contract',
    load: async () => (await import('../commands/journal-look.ts')).acceptJournal,
  },
  {
    path: ['journal', 'export'],
    summary: 'write a complete, consistent copy of the journal',
    about: ['Works while runs are running. Never overwrites a file; only you can read the copy.'],
    operands: [{ ...file, help: 'where the copy goes.' }],
    flags: [],
    examples: ['journal export /backup/journal-2026-01.db'],
    needs: 'contract',
    load: async () => (await import('../commands/journal-copy.ts')).exportJournalTo,
  },
  {
    path: ['journal', 'import'],
    summary: 'add missing runs and windows from another journal',
    about: [
      'Only reads the file, and takes entries only if its chain is intact. Times do not change.',
      'Skips unfinished runs and windows. A second import adds nothing twice.',
    ],
    operands: [file],
    flags: [],
    examples: ['journal import /backup/journal-2026-01.db'],
    needs: 'contract',
    load: async () => (await import('../commands/journal-copy.ts')).importJournalFrom,
  },
  {
    path: ['journal', 'prune'],
    summary: 'remove runs and windows that ended before a day',
    about: [
      'First writes and verifies a complete copy beside the journal. Unfinished runs and windows stay, as do runs of a window that stays.',
      'The chain keeps their digests; a record says who removed what and when.',
    ],
    operands: [],
    flags: [
      {
        name: 'before',
        value: { kind: 'text', placeholder: 'DATE' },
        help: 'a local day, such as 2026-01-31, or a time (ISO 8601); what ended before it is removed',
      },
      { name: 'dry-run', value: { kind: 'switch' }, help: 'only show what would be removed' },
      yes,
    ],
    examples: ['journal prune --before 2026-01-01 --dry-run', 'journal prune --before 2026-01-01'],
    needs: 'contract',
    load: async () => (await import('../commands/journal-prune.ts')).pruneJournalBefore,
  },
]
