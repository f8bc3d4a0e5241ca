import type { Catcher, Mutant } from '../mutant.ts'

const WRITER = 'main/journal/run-writer.ts'
const CHAIN = 'main/journal/chain-check.ts'
const FOREIGN = 'main/journal/copy-foreign.ts'
const STRANGE = 'main/journal/foreign-objects.ts'
const ANCHOR = 'main/journal/head-anchor.ts'
const PRUNE = 'main/journal/prune-journal.ts'

/** What is kept of each run: written before the effect, by one process, never changed, and reported when something is gone. */
export const JOURNAL_MUTANTS: readonly Mutant[] = [
  {
    name: 'journal-no-fence',
    harm: 'A process that woke up writes into a run that another one drives.',
    changes: [
      {
        file: WRITER,
        from: "WHERE id = ? AND driver_id = ? AND epoch = ? AND driver_id <> '' RETURNING seq",
        to: "WHERE id = ? AND (driver_id = ? OR epoch = ? OR driver_id <> '') RETURNING seq",
      },
    ],
    caughtBy: unit('journal', 'a driver that was replaced can neither write nor say that it lives'),
  },
  {
    name: 'journal-heartbeat-of-the-replaced',
    harm: 'A process that lost a run keeps the next one from being seen as gone.',
    changes: [
      {
        file: WRITER,
        from: 'SET heartbeat_at = ? WHERE id = ? AND driver_id = ? AND epoch = ?',
        to: 'SET heartbeat_at = ? WHERE id = ? AND (driver_id = ? OR epoch = ? OR 1)',
      },
    ],
    caughtBy: unit('journal', 'a driver that was replaced can neither write nor say that it lives'),
  },
  {
    name: 'journal-claimed-twice',
    harm: 'Two processes that saw the same dead driver drive the run together.',
    changes: [
      {
        file: WRITER,
        from: 'WHERE id = ? AND driver_id = ? AND epoch = ? AND pid = ? AND machine = ? AND heartbeat_at = ? RETURNING epoch',
        to: 'WHERE id = ? AND (driver_id = ? OR epoch = ? OR pid = ? OR machine = ? OR heartbeat_at = ?) RETURNING epoch',
      },
    ],
    caughtBy: unit('journal', 'of two processes that saw the same dead driver only one becomes the next'),
  },
  {
    name: 'journal-lost-write-goes-unsaid',
    harm: 'An effect follows an event that was never written.',
    changes: [
      { file: WRITER, from: '  if (inserted === undefined) throw new DriverReplaced(runId)\n', to: '' },
      { file: WRITER, from: 'seq: Number(inserted.seq)', to: 'seq: Number(inserted?.seq ?? 0)' },
    ],
    caughtBy: unit('journal', 'an event of a run that does not exist is refused'),
  },
  {
    name: 'journal-write-that-never-commits',
    harm: 'On a full disk an effect follows an event that is not on it.',
    changes: [
      {
        file: WRITER,
        from: 'const [inserted] = orRefused(writing, () => insertEvent.all(at, JSON.stringify(body), runId, fence.id, fence.epoch))',
        to: 'const inserted = orRefused(writing, () => insertEvent.get(at, JSON.stringify(body), runId, fence.id, fence.epoch))',
      },
    ],
    caughtBy: unit('failing-disk', 'is full from then on'),
  },
  {
    name: 'journal-not-on-disk-when-told',
    harm: 'A power loss takes events whose effects were made.',
    changes: [
      { file: 'main/journal/open-journal.ts', from: 'PRAGMA synchronous = FULL', to: 'PRAGMA synchronous = OFF' },
    ],
    caughtBy: unit('journal-file', 'what was written is on disk when the write returns'),
  },
  {
    name: 'journal-run-without-its-beginning',
    harm: 'A crash leaves a run that nobody can read or resume.',
    changes: [
      {
        file: WRITER,
        from: "    if (database.isTransaction) database.exec('ROLLBACK')\n    throw error instanceof JournalRefused",
        to: "    if (database.isTransaction) database.exec('COMMIT')\n    throw error instanceof JournalRefused",
      },
    ],
    caughtBy: unit('journal', 'a run that cannot start leaves nothing'),
  },
  {
    name: 'journal-event-changed',
    harm: 'What a run did is written over.',
    changes: [
      {
        file: 'main/journal/schema.ts',
        from: "  CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;\n",
        to: '',
      },
    ],
    caughtBy: unit('journal', 'nobody can have an event changed'),
  },
  {
    name: 'journal-link-changed',
    harm: 'The chain is written again over a changed entry.',
    changes: [
      {
        file: 'main/journal/schema.ts',
        from: "  CREATE TRIGGER chain_is_never_changed BEFORE UPDATE ON chain BEGIN SELECT RAISE(ABORT, 'the chain is append-only'); END;\n",
        to: '',
      },
    ],
    caughtBy: unit('chain', 'is append-only'),
  },
  {
    name: 'journal-changed-link-unseen',
    harm: 'A chain that was written again counts as whole.',
    changes: [{ file: CHAIN, from: 'if (hashOf(before, link) !== link.hash)', to: 'if (false)' }],
    caughtBy: unit('chain', 'says link-changed at 3'),
  },
  {
    name: 'journal-changed-entry-unseen',
    harm: 'An entry that somebody changed in the file counts as what was written.',
    changes: [{ file: CHAIN, from: 'return digestOf(entry) === digest\n', to: 'return digestOf(entry) !== null\n' }],
    caughtBy: unit('chain', 'says entry-changed at 2'),
  },
  {
    name: 'journal-missing-entry-unseen',
    harm: 'An entry that somebody deleted counts as taken by retention.',
    changes: [{ file: CHAIN, from: 'return removed(source, sourceSeq)\n', to: 'return !removed(source, sourceSeq)\n' }],
    caughtBy: unit('chain', 'says entry-missing at 2'),
  },
  {
    name: 'journal-cut-end-unseen',
    harm: 'Nobody sees that the newest entries were cut off before others were written.',
    changes: [{ file: CHAIN, from: 'if (given > (last?.seq ?? 0))', to: 'if (false)' }],
    caughtBy: unit('chain', 'says link-missing at 7'),
  },
  {
    name: 'journal-exchanged-unseen',
    harm: 'A journal that replaced another one is continued as if it were complete.',
    changes: [
      {
        file: ANCHOR,
        from: 'if (links.at(known.seq)?.hash === known.hash) return null',
        to: 'if (links.at(known.seq) !== null) return null',
      },
    ],
    caughtBy: unit('head-anchor', 'because it was exchanged opens for reading only'),
  },
  {
    name: 'journal-cut-off-written-on',
    harm: 'A journal that was put back from an older copy is written on: what it lacks is never missed.',
    changes: [{ file: ANCHOR, from: 'if (lost !== null) return ok(readOnly(opened.value, path, lost))', to: '' }],
    caughtBy: unit('head-anchor', 'because it was put back from an older copy opens for reading only'),
  },
  {
    name: 'journal-made-anew',
    harm: 'A journal that was taken away is made again, and its runs are forgotten without a word.',
    changes: [
      {
        file: ANCHOR,
        from: 'const opened = expected && isNothing(path) ? ok(nothing()) : openDatabase(path)',
        to: 'const opened = openDatabase(path)',
      },
    ],
    caughtBy: unit('head-anchor', 'makes nothing in the place of a file that is gone'),
  },
  {
    name: 'journal-head-kept-nowhere',
    harm: 'That the end of a run was cut off cannot be reported.',
    changes: [
      {
        file: WRITER,
        from: "heads.wrote(body.kind === 'run-finished' || body.kind === 'driver-left')",
        to: 'heads.wrote(false)',
      },
    ],
    caughtBy: unit('head-anchor', 'the last writing of a killed process is recorded outside once its run has ended'),
  },
  {
    name: 'journal-of-another-program',
    harm: 'The database of another program is written into.',
    changes: [
      {
        file: 'main/journal/open-journal.ts',
        from: "    if (owner.kind === 'foreign') {\n      return failed(refusal('damaged', because(owner.what, { path }), { target: path }))\n    }\n",
        to: '',
      },
    ],
    caughtBy: unit('journal-file', 'a database of another program'),
  },
  {
    name: 'journal-of-a-newer-program',
    harm: 'An older program writes into a journal whose rules it does not know.',
    changes: [{ file: 'main/journal/schema.ts', from: 'if (version > SCHEMA_VERSION)', to: 'if (false)' }],
    caughtBy: unit('read-only', 'is open for reading only, says both versions, and stays as it is byte for byte'),
  },
  {
    name: 'journal-cut-in-half',
    harm: 'A journal of which half is missing is written on.',
    changes: [
      {
        file: 'main/journal/open-journal.ts',
        from: "    cut = owner.kind === 'emptied' ? emptied(path) : cutOff(path)\n",
        to: '    cut = null\n',
      },
    ],
    caughtBy: unit('read-only', 'of its length is open for reading only, says how much is there, and stays as it is'),
  },
  {
    name: 'journal-read-by-others',
    harm: 'Every user of the machine reads names, addresses and outputs of runs.',
    changes: [
      { file: 'main/journal/journal-file.ts', from: "openSync(path, 'wx', 0o600)", to: "openSync(path, 'wx')" },
    ],
    caughtBy: unit('journal-file', 'from the moment it is made, with all files beside it, whatever the umask'),
  },
  {
    name: 'retention-takes-active-runs',
    harm: 'A run that waits for its operator loses its history, and with it the list of changes to undo.',
    changes: [
      {
        file: PRUNE,
        from: 'endedAt: row.finished === 1 ? String(row.last_at) : null,',
        to: 'endedAt: String(row.last_at),',
      },
    ],
    caughtBy: unit('journal-care', 'removes what ended before a day, and nothing else'),
  },
  {
    name: 'retention-takes-runs-of-open-windows',
    harm: 'The report of a window lacks runs.',
    changes: [
      {
        file: PRUNE,
        from: '(windowId === null || gone.has(windowId) || !known.has(windowId))',
        to: '(windowId === null || windowId !== null)',
      },
    ],
    caughtBy: unit('journal-care', 'removes what ended before a day, and nothing else'),
  },
  {
    name: 'retention-over-a-broken-chain',
    harm: 'What somebody took away is lost among what retention takes.',
    changes: [{ file: PRUNE, from: "if (verdict.kind === 'broken') {", to: 'if (false) {' }],
    caughtBy: unit('journal-care', 'over a broken chain removes nothing'),
  },
  {
    name: 'retention-without-a-copy',
    harm: 'Retention removes what was kept nowhere else.',
    changes: [
      {
        file: PRUNE,
        from: 'if (!exported.ok) return exported\n    const sound = verified(archive)',
        to: 'const sound = exported.ok ? verified(archive) : ok(Number.MAX_SAFE_INTEGER)',
      },
    ],
    caughtBy: unit('journal-care', 'where the copy cannot be written removes nothing'),
  },
  {
    name: 'import-over-a-broken-chain',
    harm: 'A journal that somebody changed is taken for what happened.',
    changes: [{ file: FOREIGN, from: "if (verdict.kind === 'holds') return", to: 'if (true) return' }],
    caughtBy: unit('journal-care', 'whose chain is broken'),
  },
  {
    name: 'import-of-a-file-that-runs-what-its-author-wrote',
    harm: 'A file in which a view has the place of a table keeps the console waiting for ever.',
    changes: [
      { file: FOREIGN, from: "foreignObjectIn(other.database, 'any')", to: 'null' },
      { file: STRANGE, from: '  if (why === null) return\n', to: '  if (why !== "") return\n' },
    ],
    caughtBy: unit('journal-care', 'from a file with an extra trigger takes nothing, and asks it nothing'),
  },
  {
    name: 'journal-writes-into-a-removed-file',
    harm: 'A run continues over a journal that can never be read again.',
    changes: [
      {
        file: 'main/journal/chain-functions.ts',
        from: '    if (other !== null) throw new JournalRefused(other)\n',
        to: '',
      },
    ],
    caughtBy: unit('head-anchor', 'that process writes nothing more, and says what became of its journal'),
  },
  {
    name: 'head-of-a-removed-journal',
    harm: 'A new journal is read-only from then on, because its folder reports of entries that another one had.',
    changes: [
      { file: 'main/journal/head-anchor.ts', from: 'seq !== kept && otherFile() === null && ', to: 'seq !== kept && ' },
    ],
    caughtBy: unit('head-anchor', 'the new journal keeps its own head'),
  },
  {
    name: 'import-of-rows-that-do-not-fit',
    harm: 'Runs are listed under another cluster, and this journal is no longer complete.',
    changes: [
      { file: 'main/journal/import-journal.ts', from: 'if (amiss !== undefined) {', to: 'if (amiss === "") {' },
    ],
    caughtBy: unit('journal-care', 'from a file that lists a run under another cluster takes nothing'),
  },
  {
    name: 'import-in-another-order',
    harm: 'A run that was over there is taken over as one that is not, and can be resumed.',
    changes: [{ file: CHAIN, from: 'return link.sourceSeq > before\n', to: 'return link.sourceSeq !== before\n' }],
    caughtBy: unit('journal-care', 'from a file whose entries are chained in another order'),
  },
  {
    name: 'journal-with-what-runs',
    harm: 'A journal into which somebody put a view or a rule runs it in every console that opens it.',
    changes: [{ file: STRANGE, from: '  if (why === null) return\n', to: '  if (why !== "") return\n' }],
    caughtBy: unit('journal-file', 'a rule: nothing in it is read, and it is left as it is'),
  },
  {
    name: 'journal-described-twice',
    harm: 'A table is described a second time, so the reader sees other columns than the checked ones.',
    changes: [{ file: STRANGE, from: 'if (seen.has(key))', to: 'if (false)' }],
    caughtBy: unit('journal-care', 'from a file with a table that is described twice'),
  },
  {
    name: 'import-as-news',
    harm: 'Runs of another console are reported to its operators as if they happened now.',
    changes: [{ file: 'main/journal/run-reader.ts', from: 'AND events.seq BETWEEN', to: 'AND NOT events.seq BETWEEN' }],
    caughtBy: unit('journal-tail', 'what is imported from another journal is history, not news'),
  },
]

function unit(name: string, title: string): Catcher {
  return { kind: 'test', file: `test/unit/journal/${name}.test.ts`, title }
}
