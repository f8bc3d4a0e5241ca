import type { Report } from '../../shared/domain/report.ts'
import { durationWords } from '../../shared/grammar/durations.ts'
import { overranWords, type Tone } from '../../shared/words/report-outcomes.ts'
import { stepTallyWords } from '../../shared/words/step-tally.ts'
import { code, id, text, time } from './cells.ts'
import type { Fact } from './sections.ts'

interface Figure {
  readonly name: string
  readonly value: string
  readonly tone: Tone
  /** It is for the customer, on the first page; the others are for operators. */
  readonly isMain: boolean
}

export function figuresOf({ summary: { figures }, completeness }: Report): readonly Figure[] {
  const hasEnded = completeness.kind !== 'under-way'
  const { downtimeMs, steps } = figures
  const downtime = downtimeMs === null ? 'unknown' : downtimeMs === 0 ? 'none' : durationWords(downtimeMs)
  const isShort = hasEnded && figures.nodesDone < figures.nodesPlanned
  const tally = steps === undefined ? '' : stepTallyWords(steps)
  const figure = (name: string, value: number | string, tone: Tone, isMain = false): Figure => ({
    name,
    value: String(value),
    tone,
    isMain,
  })
  return [
    figure('Nodes done', `${figures.nodesDone} of ${figures.nodesPlanned}`, isShort ? 'alarm' : 'quiet', true),
    figure('Instances moved', figures.instancesMoved, 'quiet', true),
    figure('Downtime seen, all instances', downtime, 'quiet', true),
    figure('Incidents', figures.incidents, figures.incidents > 0 ? 'caution' : 'quiet', true),
    figure('Instances stopped', figures.instancesStopped, 'quiet'),
    figure('Instances failed', figures.instancesFailed, figures.instancesFailed > 0 ? 'alarm' : 'quiet'),
    figure('Pods evicted', figures.podsEvicted, 'quiet'),
    figure('Checks overridden', figures.overrides, figures.overrides > 0 ? 'caution' : 'quiet'),
    ...(tally === '' ? [] : [figure('Steps', tally, (steps?.notVerified ?? 0) > 0 ? 'caution' : 'quiet')]),
  ]
}

export function workFacts(report: Report): readonly Fact[] {
  const { summary, cluster } = report
  return [
    { name: 'Cloud', cell: text(cluster.name), note: text(cluster.flavour) },
    ...windowFacts(report),
    { name: 'Work began', cell: time(summary.fromAt, 'not begun') },
    { name: 'Work ended', cell: time(summary.toAt, summary.fromAt === null ? 'not begun' : 'not over') },
  ]
}

function windowFacts(report: Report): readonly Fact[] {
  const { window, runs } = report
  if (window === null) {
    const reasons = runs.flatMap(run => (run.outsideWindow === null ? [] : [run.outsideWindow]))
    const why = reasons.length === 0 ? '' : `: started outside any window, because ${reasons.join('; ')}`
    return [{ name: 'Window', cell: text(`none${why}`) }]
  }
  const late = window.overranMs > 0 ? { note: code('late', overranWords(report), 'alarm') } : {}
  return [
    { name: 'Window', cell: text(window.title), note: text(window.status) },
    { name: 'Ticket', cell: text(window.ticket, 'none') },
    { name: 'Announced from', cell: time(window.startsAt) },
    { name: 'Announced until', cell: time(window.endsAt), ...late },
    { name: 'Announced by', cell: text(window.operator) },
  ]
}

/** Its maker, and the hash by which people compare it. */
export function reportFacts({ madeAt, madeBy, chain }: Report): readonly Fact[] {
  return [
    { name: 'Report made', cell: time(madeAt) },
    { name: 'Made by', cell: text(`${madeBy.operator} on ${madeBy.machine}, Lockkeeper ${madeBy.version}`) },
    { name: 'Hash of the journal', cell: id(chain.after) },
  ]
}

interface Warning {
  readonly title: string
  readonly text: string
  readonly tone: Tone
}

/** Warnings: the work has not ended, parts are missing, names are replaced. */
export function warningsOf({ completeness, damage, redacted }: Report): readonly Warning[] {
  return [
    completeness.kind === 'final'
      ? null
      : {
          title: '',
          text: completeness.words,
          tone: completeness.kind === 'interrupted' ? ('alarm' as const) : ('water' as const),
        },
    damage.length === 0
      ? null
      : {
          title: 'The journal is damaged.',
          text: 'Part of it is unreadable or was changed. See "Proof" at the end.',
          tone: 'alarm' as const,
        },
    redacted
      ? {
          title: 'Redacted.',
          text: 'Names of instances and projects are replaced, and what people wrote is left out. The hash of the journal is that of the full report.',
          tone: 'caution' as const,
        }
      : null,
  ].filter(warning => warning !== null)
}

export function zoneWords(zone: string): string {
  return zone === 'UTC' ? 'All times are UTC.' : `Times are those of ${zone}.`
}
