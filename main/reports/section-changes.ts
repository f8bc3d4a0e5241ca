import type { Report, ReportCheck, ReportIncident } from '../../shared/domain/report.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { countIncidents } from './build-incidents.ts'
import { type Cell, code, id, name, text, time } from './cells.ts'
import { col, KEY, partsOf, type Section, tableOf, tableSection, words } from './sections.ts'
import type { ReportTimes } from './times.ts'

/** Failed checks: what each found, what helps, and who started anyway and why. */
export function checksSection({ checks }: Report): Section {
  return tableSection<ReportCheck>({
    id: 'checks',
    title: 'Checks that failed',
    columns: [
      col('at', 'When', ({ at }) => time(at)),
      col('node', 'Node', ({ node }) => name(node, 'the cloud'), KEY),
      col('check', 'Check', ({ title }) => text(title)),
      col('code', 'Code', check => id(check.code), { under: 'check' }),
      col('message', 'Message', ({ message }) => text(message)),
      col('remedy', 'Remedy', ({ remedy }) => text(remedy), { under: 'message' }),
      col('overridden_by', 'Overridden by', overriddenBy),
      col('flag', 'Flag', ({ overridden }) => id(overridden && `--${overridden.flag}`), { under: 'overridden_by' }),
      col('override_reason', 'Reason', ({ overridden }) => text(overridden?.reason ?? null), {
        under: 'overridden_by',
      }),
    ],
    of: checks,
  })
}

function overriddenBy({ overridden }: ReportCheck): Cell {
  return overridden === null ? code('', 'nobody', 'quiet') : code(overridden.by, overridden.by, 'caution')
}

export function incidentsSection({ incidents }: Report): Section {
  const own = countIncidents(incidents)
  const course = incidents.length - own
  const more = course === 0 ? '' : `, and ${counted(course, 'line')} on what became of ${own === 1 ? 'it' : 'them'}`
  return tableSection<ReportIncident>({
    id: 'incidents',
    title: 'Incidents',
    amount: own,
    intro: incidents.length === 0 ? '' : `${counted(own, 'incident')}${more}.`,
    columns: [
      col('at', 'When', ({ at }) => time(at)),
      col('kind', 'What', ({ kind }) => code(kind, kind.replaceAll('-', ' '))),
      col('subject', 'About', ({ subject }) => name(subject), KEY),
      col('words', 'What happened', incident => text(incident.words, '', 'prose')),
    ],
    of: incidents,
    isQuiet: ({ counts }) => counts === false,
  })
}

export function editsSection({ edits }: Report): Section {
  return tableSection<Report['edits'][number]>({
    id: 'edits',
    title: 'Changed by hand meanwhile',
    columns: [
      col('at', 'When', ({ at }) => time(at)),
      col('operator', 'Operator', ({ operator }) => text(operator)),
      col('machine', 'Machine', ({ machine }) => text(machine), { under: 'operator' }),
      col('target', 'What', ({ target }) => text(target), KEY),
      col('kind', 'Kind', ({ kind }) => code(kind, kind.replaceAll('-', ' ')), { under: 'target' }),
      col('before', 'Before', ({ before }) => text(before)),
      col('after', 'After', ({ after }) => text(after), { after: 'before' }),
      col('refused', 'Refused', ({ refused }) => text(refused)),
    ],
    of: edits,
  })
}

/** What was sent to other systems; null if nothing was. */
export function signalsSection({ signals }: Report): Section | null {
  if (signals === undefined) return null
  return tableSection<(typeof signals)[number]>({
    id: 'signals',
    title: 'Signals',
    columns: [
      col('at', 'When', ({ at }) => time(at)),
      col('run', 'Run', ({ runId }) => text(runId)),
      col('about', 'About', ({ about }) => text(about), KEY),
      col('words', 'What was sent', signal => text(signal.words, '', 'prose')),
    ],
    of: signals,
  })
}

/** What people wrote: the notes of the window, its remarks, and how it was closed; null if there is no window. */
export function notesSection({ window }: Report, times: ReportTimes): Section | null {
  if (window === null) return null
  const { notes, remarks, closed } = window
  const end = closed === null ? '' : `${closed.by} closed the window at ${times.stamp(closed.at).zoned}`
  return {
    id: 'notes',
    title: 'Notes of the window',
    amount: remarks.length,
    parts: partsOf(
      words(notes, 'prose'),
      tableOf<(typeof remarks)[number]>({
        caption: 'Remarks',
        columns: [
          col('at', 'When', ({ at }) => time(at)),
          col('by', 'Who', ({ by }) => text(by), KEY),
          col('kind', 'Kind', ({ kind }) => code(kind, kind, kind === 'incident' ? 'alarm' : null)),
          col('text', 'Remark', remark => text(remark.text, '', 'prose')),
        ],
        groups: [{ of: remarks }],
      }),
      words(end === '' || closed?.summary === '' ? end && `${end}.` : `${end}: ${closed?.summary}`, 'prose'),
    ),
  }
}
