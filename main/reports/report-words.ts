import type { Report, ReportIncident } from '../../shared/domain/report.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { durationWords } from '../../shared/grammar/durations.ts'
import { apartWords } from '../../shared/words/clocks.ts'
import { countIncidents } from './build-incidents.ts'

/** What a reader has to know of the times in a report. */
export const CLOCKS_WORDS =
  'Times are those of the console that drove the run. A time that a server told is off by as much as its clock was. Each clock is told when the run began, and again when it had gone off by 5 s or more.'
export const NO_CLOCKS =
  'The clocks of the servers were not measured: how far times that they told are off is not known.'

/** Whose words a report is in: another version may say the same facts otherwise. */
export function wordedBy(version: string): string {
  return `Worded by Lockkeeper ${version}: another version may word the same entries otherwise, and then cannot make it again to verify it`
}

/** By how much the work of a window went past its end, or is past it until now; its overrun is not 0. */
export function overranWords({ window, runs }: Pick<Report, 'window' | 'runs'>): string {
  const by = durationWords(window?.overranMs ?? 0)
  return runs.some(({ outcome }) => outcome === null) ? `overruns by ${by}, and is not over` : `overran by ${by}`
}

/** How far a server's clock was from the console's. */
export function clockOff(aheadMs: number): string {
  return Math.abs(aheadMs) < 1_000 ? 'the same, within 1 s' : apartWords(aheadMs)
}

/** How many incidents a report lists, and how many of its lines tell what became of one. */
export function incidentsWords(incidents: readonly ReportIncident[]): string {
  const own = countIncidents(incidents)
  const course = incidents.length - own
  return `${counted(own, 'incident')}${course === 0 ? '' : `, and ${counted(course, 'line')} on what became of ${own === 1 ? 'it' : 'them'}`}`
}
