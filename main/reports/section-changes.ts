import type { Report, ReportCheck, ReportIncident } from '../../shared/domain/report.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { countIncidents } from './build-incidents.ts'
import { code, id, name, text, time } from './cells.ts'
import { partsOf, type Section, tableOf, words } from './sections.ts'
import type { ReportTimes } from './times.ts'

/** Checks that failed: what each said, what helps, and who started anyway and why. */
export function checksSection({ checks }: Report): Section {
  return {
    id: 'checks',
    title: 'Checks that failed',
    amount: checks.length,
    parts: partsOf(
      tableOf<ReportCheck>({
        caption: 'Checks that failed',
        columns: [
          { name: 'at', title: 'When', cell: check => time(check.at) },
          { name: 'node', title: 'Node', isKey: true, cell: check => name(check.node, 'the cloud') },
          { name: 'check', title: 'Check', cell: check => text(check.title) },
          { name: 'code', title: 'Code', under: 'check', cell: check => id(check.code) },
          { name: 'message', title: 'Message', cell: check => text(check.message) },
          { name: 'remedy', title: 'Remedy', under: 'message', cell: check => text(check.remedy) },
          { name: 'overridden_by', title: 'Overridden by', cell: overriddenBy },
          { name: 'flag', title: 'Flag', under: 'overridden_by', cell: check => id(flagOf(check)) },
          {
            name: 'override_reason',
            title: 'Reason',
            under: 'overridden_by',
            cell: check => text(check.overridden?.reason ?? null),
          },
        ],
        groups: [{ of: checks }],
      }),
    ),
    nothing: 'Every check passed.',
  }
}

function overriddenBy({ overridden }: ReportCheck) {
  return overridden === null ? code('', 'nobody', 'quiet') : code(overridden.by, overridden.by, 'caution')
}

function flagOf({ overridden }: ReportCheck): string | null {
  return overridden === null ? null : `--${overridden.flag}`
}

/** What did not go as planned. */
export function incidentsSection({ incidents }: Report): Section {
  const own = countIncidents(incidents)
  const course = incidents.length - own
  const more = course === 0 ? '' : `, and ${counted(course, 'line')} on what became of ${own === 1 ? 'it' : 'them'}`
  return {
    id: 'incidents',
    title: 'Incidents',
    amount: own,
    parts: partsOf(
      words(incidents.length === 0 ? '' : `${counted(own, 'incident')}${more}.`, 'quiet'),
      tableOf<ReportIncident>({
        caption: 'Incidents',
        columns: [
          { name: 'at', title: 'When', cell: incident => time(incident.at) },
          { name: 'kind', title: 'What', cell: ({ kind }) => code(kind, kind.replaceAll('-', ' ')) },
          { name: 'subject', title: 'About', isKey: true, cell: incident => name(incident.subject) },
          { name: 'words', title: 'What happened', cell: incident => text(incident.words, '', 'prose') },
        ],
        groups: [{ of: incidents }],
        isQuiet: ({ counts }) => counts === false,
      }),
    ),
    nothing: 'Nothing failed, nothing needed a person, and nobody noted an incident.',
  }
}

/** What people changed by hand meanwhile, outside of the runs. */
export function editsSection({ edits }: Report): Section {
  return {
    id: 'edits',
    title: 'Changed by hand meanwhile',
    amount: edits.length,
    parts: partsOf(
      tableOf<Report['edits'][number]>({
        caption: 'Changes by hand',
        columns: [
          { name: 'at', title: 'When', cell: edit => time(edit.at) },
          { name: 'operator', title: 'Operator', cell: edit => text(edit.operator) },
          { name: 'machine', title: 'Machine', under: 'operator', cell: edit => text(edit.machine) },
          { name: 'target', title: 'What', isKey: true, cell: edit => text(edit.target) },
          { name: 'kind', title: 'Kind', under: 'target', cell: ({ kind }) => code(kind, kind.replaceAll('-', ' ')) },
          { name: 'before', title: 'Before', cell: edit => text(edit.before) },
          { name: 'after', title: 'After', after: 'before', cell: edit => text(edit.after) },
          { name: 'refused', title: 'Refused', cell: edit => text(edit.refused) },
        ],
        groups: [{ of: edits }],
      }),
    ),
    nothing: 'Nobody changed anything by hand.',
  }
}

/** What was sent to other systems; null: nothing was. */
export function signalsSection({ signals }: Report): Section | null {
  if (signals === undefined) return null
  return {
    id: 'signals',
    title: 'Signals',
    amount: signals.length,
    parts: partsOf(
      tableOf<NonNullable<Report['signals']>[number]>({
        caption: 'Signals',
        columns: [
          { name: 'at', title: 'When', cell: signal => time(signal.at) },
          { name: 'run', title: 'Run', cell: signal => text(signal.runId) },
          { name: 'about', title: 'About', isKey: true, cell: signal => text(signal.about) },
          { name: 'words', title: 'What was sent', cell: signal => text(signal.words, '', 'prose') },
        ],
        groups: [{ of: signals }],
      }),
    ),
    nothing: 'Nothing was sent.',
  }
}

/** What people wrote: the notes of the window, its remarks, and how it was closed; null: there is no window. */
export function notesSection({ window }: Report, times: ReportTimes): Section | null {
  if (window === null) return null
  const { notes, remarks, closed } = window
  return {
    id: 'notes',
    title: 'Notes of the window',
    amount: remarks.length,
    parts: partsOf(
      words(notes, 'prose'),
      tableOf<(typeof remarks)[number]>({
        caption: 'Remarks',
        columns: [
          { name: 'at', title: 'When', cell: remark => time(remark.at) },
          { name: 'by', title: 'Who', isKey: true, cell: remark => text(remark.by) },
          { name: 'kind', title: 'Kind', cell: ({ kind }) => code(kind, kind, kind === 'incident' ? 'alarm' : null) },
          { name: 'text', title: 'Remark', cell: remark => text(remark.text, '', 'prose') },
        ],
        groups: [{ of: remarks }],
      }),
      words(
        closed === null
          ? ''
          : `${closed.by} closed it at ${times.stamp(closed.at).zoned}${closed.summary === '' ? '.' : `: ${closed.summary}`}`,
        'prose',
      ),
    ),
    nothing: 'Nobody wrote a note.',
  }
}
