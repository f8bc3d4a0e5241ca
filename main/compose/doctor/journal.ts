import { accessSync, constants, existsSync } from 'node:fs'
import type { RunView } from '../../../shared/domain/run.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { because } from '../../../shared/words/reasons.ts'
import { type InspectedJournal, inspectJournal } from '../../journal/journal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { fileFault } from '../../platform/files/file-words.ts'
import { lookAtInstallation } from '../../platform/settings/head-anchor.ts'
import { isInterrupted, type LivenessFacts } from '../../runs/engine/liveness.ts'
import { type Finding, findingsAbout } from './finding.ts'

interface OpenRun {
  readonly id: string
  readonly cluster: string
  readonly isDriven: boolean
}

/** `openRuns` null: the journal could not be read. */
export interface ExaminedJournal {
  readonly findings: readonly Finding[]
  /** Includes all clusters: one cluster may be registered under two names. */
  readonly openRuns: readonly OpenRun[] | null
  /** Whether the journal says that a run has ended; false for unknown and unreadable runs, which may still be running. */
  readonly hasEnded: (runId: string) => boolean
}

/** A larger journal is slow to check, and old entries can be removed. */
const LARGE = 1024 ** 3

const { fine, attention, broken, cannotTell, failed } = findingsAbout('journal')

/** Examines the journal of a data directory, its key and its runs. Writes nothing and opens nothing for writing. */
export function examineJournal(options: {
  readonly dataDirectory: string
  readonly path: string
  readonly clock: Clock
  readonly liveness: LivenessFacts
  readonly cluster: string | null
}): ExaminedJournal {
  const { path, clock } = options
  const { key, anchor } = lookAtInstallation(options.dataDirectory)
  const keyFinding = !key.ok
    ? failed('key', key.failure)
    : key.value === null
      ? fine('key', because('KeyMadeLater'))
      : fine('key', because('ReportsSigned', { fingerprint: key.value.fingerprint }))
  const opened = inspectJournal({ path, clock, anchor })
  if (!opened.ok) {
    return { findings: [failed('file', opened.failure), keyFinding], openRuns: null, hasEnded: () => false }
  }
  const journal = opened.value
  if (journal === null) {
    return {
      findings: [fine('file', because('JournalMadeLater', { path })), keyFinding],
      openRuns: [],
      hasEnded: () => false,
    }
  }
  try {
    const runs = runsOf(journal, options)
    return {
      findings: [...wholeOf(journal), ...sizeOf(journal), ...writableOf(path), keyFinding, ...runs.findings],
      openRuns: runs.open,
      hasEnded: runId => runs.over.has(runId),
    }
  } finally {
    journal.close()
  }
}

function wholeOf(journal: InspectedJournal): readonly Finding[] {
  const checked = journal.care.check()
  if (!checked.ok) return [failed('whole', checked.failure, because('PutCopyBackNext'))]
  const { ok, words } = checked.value
  return [ok ? fine('whole', { message: words }) : broken('whole', { message: words }, because('PutFileBackNext'))]
}

function sizeOf(journal: InspectedJournal): readonly Finding[] {
  const status = journal.care.status()
  if (!status.ok) return [failed('size', status.failure)]
  const { bytes: size, runs, windows, entries, path } = status.value
  const seen = because('JournalSize', { path, bytes: size, runs, windows, entries })
  return [size < LARGE ? fine('size', seen) : attention('size', seen, because('PruneNext'))]
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
          because('JournalFileNotWritable', { path: file, fault: fileFault(error) }),
          because('MakeWritableNext'),
        ),
      ]
    }
  }
  return [fine('writable', because('JournalFilesWritable'))]
}

function runsOf(
  journal: InspectedJournal,
  { cluster, liveness }: { readonly cluster: string | null; readonly liveness: LivenessFacts },
): {
  readonly findings: readonly Finding[]
  readonly open: readonly OpenRun[] | null
  readonly over: ReadonlySet<string>
} {
  const rows = journal.rows({ cluster: null })
  if (!rows.ok) return { findings: [failed('runs', rows.failure)], open: null, over: new Set() }
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
          because('RunEndNotReadable', { run: id, cluster: row.cluster }),
          because('JournalCheckNext'),
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
    const { kind, cluster: on, node, createdAt } = row
    findings.push(
      attention(
        `run ${id}`,
        because('RunUndriven', { kind, cluster: on, node: node === '' ? null : node, begunAt: createdAt }),
        because('RunUndrivenNext', { run: id }),
      ),
    )
  }
  const driven = open.filter(run => run.isDriven && isAsked(run)).length
  if (findings.length > 0) return { findings, open, over }
  const seen = driven === 0 ? because('NoRunOpen') : because('RunsDriven', { runs: driven })
  return { findings: [fine('runs', seen)], open, over }
}

function viewOf(journal: InspectedJournal, id: string): RunView | null {
  const events = journal.events(id)
  return events.ok && events.value.length > 0 ? foldRun(events.value) : null
}
