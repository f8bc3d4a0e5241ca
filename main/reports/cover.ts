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
  // For operators, what did not happen says nothing.
  const some = (name: string, value: number, tone: Tone) => (value === 0 ? [] : [figure(name, value, tone)])
  return [
    figure('Nodes done', `${figures.nodesDone} of ${figures.nodesPlanned}`, isShort ? 'alarm' : 'quiet', true),
    figure('Instances moved', figures.instancesMoved, 'quiet', true),
    figure('Downtime seen, all instances', downtime, 'quiet', true),
    figure('Incidents', figures.incidents, figures.incidents > 0 ? 'caution' : 'quiet', true),
    ...some('Instances stopped', figures.instancesStopped, 'quiet'),
    ...some('Instances failed', figures.instancesFailed, 'alarm'),
    ...some('Pods evicted', figures.podsEvicted, 'quiet'),
    ...some('Failed checks, started anyway', figures.overrides, 'caution'),
    ...(tally === '' ? [] : [figure('Steps', tally, (steps?.notVerified ?? 0) > 0 ? 'caution' : 'quiet')]),
  ]
}

export function workFacts(report: Report): readonly Fact[] {
  const { summary, cluster } = report
  return [
    { name: 'Cloud', cell: text(cluster.name), note: text(cluster.flavour) },
    ...windowFacts(report),
    { name: 'Work began', cell: time(summary.fromAt, 'not started') },
    ...(summary.fromAt === null ? [] : [{ name: 'Work ended', cell: time(summary.toAt, 'still running') }]),
  ]
}

function windowFacts(report: Report): readonly Fact[] {
  const { window, runs } = report
  if (window === null) {
    const reasons = runs.flatMap(run => (run.outsideWindow === null ? [] : [run.outsideWindow]))
    return reasons.length === 0 ? [] : [{ name: 'Started outside a window', cell: text(reasons.join('; ')) }]
  }
  const late = window.overranMs > 0 ? { note: code('late', overranWords(report), 'alarm') } : {}
  return [
    { name: 'Window', cell: text(window.title), note: text(window.status) },
    ...(window.ticket === null || window.ticket === '' ? [] : [{ name: 'Ticket', cell: text(window.ticket) }]),
    { name: 'Window from', cell: time(window.startsAt) },
    { name: 'Window until', cell: time(window.endsAt), ...late },
    { name: 'Window by', cell: text(window.operator) },
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
  return zone === 'UTC' ? 'All times are UTC.' : `All times are in ${zone}.`
}
