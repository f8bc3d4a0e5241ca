import { accessSync, constants, existsSync } from 'node:fs'
import type { RunView } from '../../shared/domain/run.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'
import { bytes } from '../../shared/grammar/bytes.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { instantWords } from '../../shared/grammar/times.ts'
import type { Clock } from '../clock/clock.ts'
import { fileFault } from '../files/file-words.ts'
import { type LookedAtJournal, lookAtJournal } from '../journal/journal.ts'
import { isInterrupted, type LivenessFacts } from '../runs/engine/liveness.ts'
import { lookAtInstallation } from '../settings/head-anchor.ts'
import { type Finding, findingsAbout } from './finding.ts'

/** A run that is not over, as the journal tells. */
interface OpenRun {
  readonly id: string
  readonly cluster: string
  readonly isDriven: boolean
}

/** What the journal told; null runs: it could not be asked. */
export interface ExaminedJournal {
  readonly findings: readonly Finding[]
  /** On every cluster: one may be registered under two names. */
  readonly openRuns: readonly OpenRun[] | null
  /** Whether it tells of a run that it is over: one that it does not know or cannot read may go on. */
  readonly isOver: (runId: string) => boolean
}

/** Beyond this a journal is slow to check, and old history can go. */
const LARGE = 1024 ** 3

const { fine, attention, broken, cannotTell } = findingsAbout('journal')

/** The journal of a data directory, its key and the runs it tells of. Nothing is written, opened for writing or made. */
export function examineJournal(options: {
  readonly dataDirectory: string
  readonly path: string
  readonly clock: Clock
  readonly liveness: LivenessFacts
  /** Null: every cluster's runs. */
  readonly cluster: string | null
}): ExaminedJournal {
  const { path, clock } = options
  const { key, anchor } = lookAtInstallation(options.dataDirectory)
  const keyFinding = !key.ok
    ? broken('key', key.failure, null)
    : key.value === null
      ? fine('key', 'This installation has no key yet; the first command that needs one makes it.')
      : fine('key', `Reports are signed with the key ${key.value.fingerprint}.`)
  const opened = lookAtJournal({ path, clock, anchor })
  if (!opened.ok) {
    return { findings: [broken('file', opened.failure, null), keyFinding], openRuns: null, isOver: () => false }
  }
  const journal = opened.value
  if (journal === null) {
    return {
      findings: [fine('file', `There is no journal yet; it is made as ${path}.`), keyFinding],
      openRuns: [],
      isOver: () => false,
    }
  }
  try {
    const runs = runsOf(journal, options)
    return {
      findings: [...wholeOf(journal), ...sizeOf(journal), ...writableOf(path), keyFinding, ...runs.findings],
      openRuns: runs.open,
      isOver: runId => runs.over.has(runId),
    }
  } finally {
    journal.close()
  }
}

function wholeOf(journal: LookedAtJournal): readonly Finding[] {
  const checked = journal.care.check()
  if (!checked.ok) return [broken('whole', checked.failure, 'Put back a copy of it, together with what lay beside it.')]
  const { ok, words } = checked.value
  return [
    ok
      ? fine('whole', words)
      : broken(
          'whole',
          words,
          'Put back the file that was there; `lockkeeper journal check` and `journal accept` say more.',
        ),
  ]
}

function sizeOf(journal: LookedAtJournal): readonly Finding[] {
  const standing = journal.care.status()
  if (!standing.ok) return [broken('size', standing.failure, null)]
  const { bytes: size, runs, windows, entries, path } = standing.value
  const message = `${path} has ${bytes(size)}: ${counted(runs, 'run')}, ${counted(windows, 'window')}, ${counted(entries, 'entry', 'entries')}.`
  return [
    size < LARGE
      ? fine('size', message)
      : attention('size', message, 'Old history can go: `lockkeeper journal prune --before DATE --dry-run`.'),
  ]
}

function writableOf(path: string): readonly Finding[] {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (!existsSync(file)) continue
    try {
      accessSync(file, constants.W_OK)
    } catch (error) {
      return [
        broken(
          'writable',
          `${file} cannot be written: ${fileFault(error).message}. No run can be started.`,
          'Make it writable for your user.',
        ),
      ]
    }
  }
  return [fine('writable', 'Its files may be written by your user; nothing was written to try it.')]
}

function runsOf(
  journal: LookedAtJournal,
  { cluster, liveness }: { readonly cluster: string | null; readonly liveness: LivenessFacts },
): {
  readonly findings: readonly Finding[]
  readonly open: readonly OpenRun[] | null
  readonly over: ReadonlySet<string>
} {
  const rows = journal.rows({ cluster: null })
  if (!rows.ok) return { findings: [broken('runs', rows.failure, null)], open: null, over: new Set() }
  const isAsked = (run: { readonly cluster: string }) => cluster === null || run.cluster === cluster
  const over = new Set(rows.value.flatMap(({ id, finished }) => (finished ? [id] : [])))
  const findings: Finding[] = []
  const open: OpenRun[] = []
  for (const row of rows.value.filter(({ finished }) => !finished)) {
    const { id } = row
    const view = viewOf(journal, id)
    if (view === null) {
      if (!isAsked(row)) continue
      findings.push(
        cannotTell(
          `run ${id}`,
          `What run ${id} on ${row.cluster} came to cannot be read.`,
          '`lockkeeper journal check` says more.',
        ),
      )
      continue
    }
    if (view.state.kind === 'finished') {
      over.add(id)
      continue
    }
    const isDriven = !isInterrupted(view, row, liveness)
    open.push({ id, cluster: row.cluster, isDriven })
    if (isDriven || !isAsked(row)) continue
    const where = row.node === '' ? row.cluster : `${row.node} of ${row.cluster}`
    findings.push(
      attention(
        `run ${id}`,
        `Nobody drives the ${row.kind} of ${where} that was begun on ${instantWords(row.createdAt)}.`,
        `\`lockkeeper run resume ${id}\` goes on with it, \`lockkeeper run abort ${id}\` ends it where it is.`,
      ),
    )
  }
  const driven = open.filter(run => run.isDriven && isAsked(run)).length
  if (findings.length > 0) return { findings, open, over }
  const message =
    driven === 0
      ? 'No run is open.'
      : `${counted(driven, 'run')} that ${driven === 1 ? 'is' : 'are'} not over, each with a driver.`
  return { findings: [fine('runs', message)], open, over }
}

function viewOf(journal: LookedAtJournal, id: string): RunView | null {
  const events = journal.events(id)
  return events.ok && events.value.length > 0 ? foldRun(events.value) : null
}
