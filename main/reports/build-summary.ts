import { endsInService, type Plan, planPlace } from '../../shared/domain/plan.ts'
import type {
  Completeness,
  ReportCheck,
  ReportIncident,
  ReportInstance,
  ReportNode,
  ReportOutcome,
  ReportSubject,
  ReportSummary,
} from '../../shared/domain/report.ts'
import { stepTally } from '../../shared/domain/step-tally.ts'
import { asPhrase, counted, someOf } from '../../shared/grammar/counts.ts'
import { durationWords } from '../../shared/grammar/durations.ts'
import { momentWords, stretchWords } from '../../shared/grammar/times.ts'
import { verdictSentence } from '../../shared/words/node-verdict.ts'
import { workTitle } from '../../shared/words/plans.ts'
import { countIncidents } from './build-incidents.ts'
import type { AskedPod } from './build-pods.ts'
import { continuedSteps, continuedWords, leftOutWords, nodesLeftOut } from './continued-steps.ts'
import { hasBegun, isOver, type Material } from './material.ts'

const MOST_LINES = 8

/** The parts of a report that its summary is made of. */
interface SummaryParts {
  readonly cluster: string
  readonly completeness: Completeness
  readonly nodes: readonly ReportNode[]
  readonly instances: readonly ReportInstance[]
  readonly pods: readonly AskedPod[]
  readonly checks: readonly ReportCheck[]
  readonly incidents: readonly ReportIncident[]
  readonly overranMs: number
  readonly damage: readonly string[]
}

/** What a reader needs in half a minute: what, where, when, how it ended, whom it touched, what is left to do. */
export function buildSummary(material: Material, parts: SummaryParts): ReportSummary {
  const figures = figuresOf(material, parts)
  const begun = material.runs.filter(hasBegun)
  const fromAt = begun[0]?.view.createdAt ?? null
  const over = material.runs.every(isOver)
  const toAt = over ? lastOf(begun.map(({ view }) => view.endedAt ?? view.lastEventAt)) : null
  const outcome = outcomeOf(material, parts, figures)
  return {
    outcome,
    headline: headline(material, parts, outcome, figures, fromAt, toAt),
    lines: linesOf(material, parts, figures).slice(0, MOST_LINES),
    fromAt,
    toAt,
    figures,
  }
}

function figuresOf(
  { subject, runs }: Material,
  { nodes, instances, pods, checks, incidents }: SummaryParts,
): ReportSummary['figures'] {
  const stopped = instances.filter(({ outcome }) => outcome === 'stopped')
  const downtimes = instances.flatMap(({ outcome, downtimeMs, downtimeWords }) =>
    outcome === 'stopped' || downtimeWords !== null ? [downtimeMs] : [],
  )
  return {
    nodesPlanned: nodes.length,
    nodesDone: nodes.filter(node => isDone(node, subject)).length,
    instancesMoved: instances.filter(({ outcome }) => outcome === 'moved').length,
    instancesStopped: stopped.length,
    instancesFailed: instances.filter(({ outcome }) => outcome === 'failed').length,
    downtimeMs: downtimes.reduce<number | null>((sum, ms) => (sum === null || ms === null ? null : sum + ms), 0),
    podsEvicted: pods.filter(({ isEvicted }) => isEvicted).length,
    overrides: checks.filter(({ overridden }) => overridden !== null).length,
    incidents: countIncidents(incidents),
    steps: stepTally(runs.flatMap(({ view }) => view.steps)),
  }
}

/** A run that takes a node out of service is done then; a window is done with a node only when that is back. */
function isDone({ outcome }: ReportNode, subject: ReportSubject): boolean {
  return outcome === 'back' || (outcome === 'in-maintenance' && subject.kind === 'run')
}

function outcomeOf(
  { runs, subject }: Material,
  { completeness, nodes }: SummaryParts,
  { nodesDone, nodesPlanned, instancesFailed }: ReportSummary['figures'],
): ReportOutcome {
  if (completeness.kind === 'interrupted') return 'interrupted'
  if (runs.some(run => !isOver(run))) return 'under-way'
  if (runs.length === 0) return completeness.kind === 'under-way' ? 'under-way' : 'nothing'
  const ends = runs.flatMap(({ view }) => (view.state.kind === 'finished' ? [view.state.outcome] : []))
  if (!runs.some(hasBegun) && ends.every(end => end === 'checks-failed')) return 'checks-failed'
  // An instance given up or passed by the operator was not done, though its run ended well.
  const whole = instancesFailed === 0 && !runs.some(hasPassed)
  if (nodesPlanned > 0 && nodesDone === nodesPlanned && ends.at(-1) === 'done') return whole ? 'done' : 'partly'
  if (nodesPlanned === 0 && ends.every(end => end === 'done')) return whole ? 'done' : 'partly'
  const away = nodes.some(({ outcome }) => OUT.has(outcome))
  if (away && completeness.kind === 'under-way') return 'under-way'
  // The report of one run says what every face says about that run; how many of its nodes are done is a figure.
  const end = subject.kind === 'run' ? ends.at(-1) : undefined
  if (end === 'aborted' || end === 'failed') return end
  if (ends.at(-1) === 'handed-over') return 'handed-over'
  if (nodesDone > 0 || away || nodes.some(({ outcome }) => HELD.has(outcome))) return 'partly'
  if (ends.at(-1) === 'aborted') return 'aborted'
  return nodes.every(({ outcome }) => outcome === 'not-begun') && ends.every(end => end === 'done')
    ? 'nothing'
    : 'failed'
}

/** Outcomes of nodes that are out of service. */
const OUT: ReadonlySet<ReportNode['outcome']> = new Set(['in-maintenance', 'not-empty', 'maybe-not-empty'])
/** Outcomes of nodes that are back and take no work. */
const HELD: ReadonlySet<ReportNode['outcome']> = new Set(['held-back', 'maybe-held-back'])

/** A summary names at most so many nodes. */
const MOST_VERDICTS = 3

/** What each node is at the end, according to its newest run. */
function verdictLines({ endings }: Pick<Material, 'endings'>): readonly string[] {
  const judged = [...endings].flatMap(([node, ending]) =>
    'verdict' in ending ? [verdictSentence(node, ending.verdict)] : [],
  )
  return judged.length > MOST_VERDICTS ? [] : judged
}

/** Whether an operator skipped a step, or continued past one that was not done. */
function hasPassed(run: Material['runs'][number]): boolean {
  const isSkipped = run.events.some(({ body }) => body.kind === 'step-skipped' && body.by === 'operator')
  return isSkipped || continuedSteps(run).length > 0
}

function headline(
  material: Material,
  { cluster, nodes }: SummaryParts,
  outcome: ReportOutcome,
  { nodesPlanned, nodesDone }: ReportSummary['figures'],
  fromAt: string | null,
  toAt: string | null,
): string {
  const { window, subject, timeZone, now, runs } = material
  const only = runs.length === 1 ? runs[0] : undefined
  const what =
    subject.kind === 'window' && window !== null
      ? `"${window.title}" on ${cluster}`
      : only === undefined
        ? `Maintenance of ${cluster}`
        : workTitle(only.view.plan)
  const when =
    fromAt === null
      ? ''
      : toAt === null
        ? `, begun ${momentWords(fromAt, timeZone)}`
        : `, ${stretchWords(fromAt, toAt, timeZone)}`
  const away = nodes.filter(({ outcome: stands }) => OUT.has(stands)).length
  const left = nodesLeftOut(material)?.length ?? 0
  const said = [
    ...runs.flatMap(continuedSteps).map(({ by, title }) => `${by} continued past "${title}"`),
    ...(nodesPlanned > 1 ? [`${nodesDone} of ${nodesPlanned} nodes done`] : []),
    ...(away > 0 && subject.kind === 'window' ? [`${counted(away, 'node')} still in maintenance`] : []),
    ...(left > 0 ? [`${counted(left, 'node')} left out`] : []),
  ]
  const share = said.length === 0 ? '' : ` (${said.join('; ')})`
  const ending = outcomeWords(outcome, momentWords(now, timeZone))
  return `${what}${when}: ${ending}${share}.`
}

function outcomeWords(outcome: ReportOutcome, now: string): string {
  switch (outcome) {
    case 'done':
      return 'done and verified'
    case 'partly':
      return 'partly done'
    case 'failed':
      return 'failed'
    case 'aborted':
      return 'stopped by an operator'
    case 'checks-failed':
      return 'not begun, because checks failed'
    case 'handed-over':
      return 'handed over to a runner, whose journal has the rest'
    case 'under-way':
      return `not finished at ${now}`
    case 'interrupted':
      return `interrupted, and not finished at ${now}`
    case 'nothing':
      return 'nothing was done'
  }
}

function linesOf(material: Material, parts: SummaryParts, figures: ReportSummary['figures']): readonly string[] {
  if (!material.runs.some(hasBegun)) return untouchedLines(material, parts)
  const lines = [
    damageLine(parts.damage),
    ...verdictLines(material),
    continuedLine(material),
    instanceLine(parts.instances, figures),
    failedLine(parts, figures),
    podLine(parts.pods, figures),
    overranLine(material, parts.overranMs),
    troubleLine(figures),
    leftLine(material),
  ]
  const said = lines.filter(line => line !== null)
  return said.length > 0 ? said : ['No instance and no pod was touched.']
}

function untouchedLines({ runs }: Material, { checks, damage }: SummaryParts): readonly string[] {
  const stood = checks.filter(({ overridden }) => overridden === null).map(({ message }) => asPhrase(message))
  return [
    damageLine(damage),
    runs.length === 0 ? 'It has no run: nothing was touched.' : 'Nothing was touched: no instance and no pod.',
    stood.length === 0 ? null : `In the way: ${someOf([...new Set(stood)], 2, '; ')}.`,
  ].filter(line => line !== null)
}

function damageLine(damage: readonly string[]): string | null {
  return damage.length === 0
    ? null
    : `The journal is damaged in ${counted(damage.length, 'place')}: this report may be incomplete.`
}

function continuedLine(material: Material): string | null {
  const past = material.runs.flatMap(continuedSteps).map(continuedWords)
  return past.length === 0 ? null : `${past.join(' ')} ${leftOutWords(nodesLeftOut(material))}`.trim()
}

function instanceLine(instances: readonly ReportInstance[], figures: ReportSummary['figures']): string | null {
  if (instances.length === 0) return null
  const count = (...outcomes: readonly ReportInstance['outcome'][]) =>
    instances.filter(({ outcome }) => outcomes.includes(outcome)).length
  const cold = instances.filter(({ outcome, action }) => outcome === 'moved' && action === 'cold_migrate').length
  const { instancesMoved: moved, instancesStopped: stopped } = figures
  const again = instances.filter(({ outcome, downtimeWords }) => outcome === 'stayed' && downtimeWords !== null).length
  const stayed = count('stayed', 'settled', 'left-to-owner') - again
  const open = count('not-reached')
  const here = count('left-here')
  const parts = [
    moved === 0
      ? 'No instance was moved'
      : `${counted(moved, 'instance')} moved to other hosts${cold > 0 ? ` (${cold} of them while stopped)` : ''}`,
    stopped === 0
      ? again > 0
        ? 'none is down now'
        : 'none was stopped'
      : `${stopped} ${stopped === 1 ? 'is' : 'are'} down and ${stopped === 1 ? 'has' : 'have'} to be started by ${stopped === 1 ? 'its owner' : 'their owners'}`,
    ...(again > 0 ? [`${again} ${again === 1 ? 'was' : 'were'} down and ${again === 1 ? 'runs' : 'run'} again`] : []),
    ...(stayed > 0 ? [`${stayed} stayed`] : []),
    ...(here > 0 ? [`${here} still here`] : []),
    ...(open > 0 ? [`${open} not reached or not known`] : []),
  ]
  return `${parts.join(', ')}.`
}

function failedLine({ instances }: SummaryParts, { instancesFailed }: ReportSummary['figures']): string | null {
  if (instancesFailed === 0) return null
  const names = instances.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
  return `${counted(instancesFailed, 'instance')} could not be moved: ${someOf(names)}.`
}

function podLine(pods: readonly AskedPod[], { podsEvicted }: ReportSummary['figures']): string | null {
  if (podsEvicted === 0) return null
  const waits = pods.flatMap(({ pod: { waitedMs } }) => (waitedMs !== null && waitedMs > 0 ? [waitedMs] : []))
  const held =
    waits.length === 0
      ? 'none waited for a disruption budget'
      : `${waits.length} waited for a disruption budget, ${durationWords(Math.max(...waits))} at most`
  return `${counted(podsEvicted, 'pod')} left for other nodes; ${held}.`
}

function overranLine({ window, runs, timeZone }: Material, overranMs: number): string | null {
  if (window === null || overranMs === 0) return null
  const end = `past the window's end (${momentWords(window.endsAt, timeZone)})`
  return runs.every(isOver)
    ? `Work went ${durationWords(overranMs)} ${end}.`
    : `It is ${durationWords(overranMs)} ${end}, and work is not finished.`
}

function troubleLine({ incidents, overrides }: ReportSummary['figures']): string | null {
  if (incidents === 0 && overrides === 0) return null
  const lifted = overrides === 0 ? 'no check was overridden' : `${counted(overrides, 'check')} overridden, with reasons`
  return `${counted(incidents, 'incident')}; ${lifted}.`
}

function leftLine({ runs }: Material): string | null {
  const left = runs.flatMap(({ view }, index) => {
    // A later run of the same place that ended as done settles it.
    const settled = runs.slice(index + 1).some(later => isDoneAt(later.view, view.plan))
    if (settled || view.state.kind !== 'finished') return []
    const { leftBehind } = view.state
    const titles = view.plan.steps.filter(({ title, undo }) => leftBehind.includes(`${title}: ${undo}`))
    return titles.map(({ title }) => `"${title}"`)
  })
  const steps = [...new Set(left)]
  return steps.length === 0 ? null : `Still changed: what ${someOf(steps)} did. Each run says how to undo it.`
}

function isDoneAt({ plan, state }: Material['runs'][number]['view'], place: Plan): boolean {
  return plan.kind === place.kind || endsInService(plan.kind)
    ? planPlace(plan) === planPlace(place) && state.kind === 'finished' && state.outcome === 'done'
    : false
}

function lastOf(times: readonly string[]): string | null {
  return times.reduce<string | null>((last, at) => (last === null || last < at ? at : last), null)
}
