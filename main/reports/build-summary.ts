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
import { momentWords, stretchWords } from '../../shared/grammar/times.ts'
import { verdictSentence } from '../../shared/words/node-verdict.ts'
import { workTitle } from '../../shared/words/plans.ts'
import {
  damageSentence,
  failedSentence,
  instancesSentence,
  lateSentence,
  outcomeWords,
  podsSentence,
  problemSentence,
} from '../../shared/words/report-summary.ts'
import { countIncidents } from './build-incidents.ts'
import type { AskedPod } from './build-pods.ts'
import { continuedSteps, continuedWords, leftOutWords, nodesLeftOut } from './continued-steps.ts'
import { hasBegun, hasEnded, type Material } from './material.ts'

const MOST_LINES = 8

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
  const over = material.runs.every(hasEnded)
  const toAt = over ? lastOf(begun.map(({ view }) => view.endedAt ?? view.lastEventAt)) : null
  const outcome = outcomeOf(material, parts, figures)
  return {
    outcome,
    headline: headline(material, parts, { outcome, figures, fromAt, toAt }),
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

/** A run that takes a node out of service has then reached its goal; a window has only when the node is back. */
function isDone({ outcome }: ReportNode, subject: ReportSubject): boolean {
  return outcome === 'back' || (outcome === 'in-maintenance' && subject.kind === 'run')
}

function outcomeOf(
  { runs, subject }: Material,
  { completeness, nodes }: SummaryParts,
  { nodesDone, nodesPlanned, instancesFailed }: ReportSummary['figures'],
): ReportOutcome {
  if (completeness.kind === 'interrupted') return 'interrupted'
  if (runs.some(run => !hasEnded(run))) return 'under-way'
  if (runs.length === 0) return completeness.kind === 'under-way' ? 'under-way' : 'nothing'
  const ends = runs.flatMap(({ view }) => (view.state.kind === 'finished' ? [view.state.outcome] : []))
  if (!runs.some(hasBegun) && ends.every(end => end === 'checks-failed')) return 'checks-failed'
  // An instance that the operator gave up or skipped is not done, even if its run ended well.
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

const OUT: ReadonlySet<ReportNode['outcome']> = new Set(['in-maintenance', 'not-empty', 'maybe-not-empty'])
/** Outcomes of nodes that are back but take no work. */
const HELD: ReadonlySet<ReportNode['outcome']> = new Set(['held-back', 'maybe-held-back'])

const MOST_VERDICTS = 3

/** The final state of each node, by its newest run. */
function verdictLines({ endings }: Pick<Material, 'endings'>): readonly string[] {
  const judged = [...endings].flatMap(([node, ending]) =>
    'verdict' in ending ? [verdictSentence(node, ending.verdict)] : [],
  )
  return judged.length > MOST_VERDICTS ? [] : judged
}

function hasPassed(run: Material['runs'][number]): boolean {
  const isSkipped = run.events.some(({ body }) => body.kind === 'step-skipped' && body.by === 'operator')
  return isSkipped || continuedSteps(run).length > 0
}

function headline(
  material: Material,
  { cluster, nodes }: SummaryParts,
  { outcome, figures, fromAt, toAt }: Omit<ReportSummary, 'headline' | 'lines'>,
): string {
  const { subject, timeZone, now, runs } = material
  const away = subject.kind === 'run' ? 0 : nodes.filter(node => OUT.has(node.outcome)).length
  const left = nodesLeftOut(material)?.length ?? 0
  const said = [
    ...runs.flatMap(continuedSteps).map(({ by, title }) => `${by} continued past "${title}"`),
    ...(figures.nodesPlanned > 1 ? [`${figures.nodesDone} of ${figures.nodesPlanned} nodes done`] : []),
    ...(away > 0 ? [`${counted(away, 'node')} still in maintenance`] : []),
    ...(left > 0 ? [`${counted(left, 'node')} left out`] : []),
    ...(figures.overrides > 0 ? [`started in spite of ${counted(figures.overrides, 'failed check')}`] : []),
  ]
  const share = said.length === 0 ? '' : ` (${said.join('; ')})`
  // A run that was started in spite of a failed check does not look like a clean one.
  const ending =
    outcome === 'done' && figures.overrides > 0 ? 'done' : outcomeWords(outcome, momentWords(now, timeZone))
  return `${workOf(material, cluster)}${whenWords(fromAt, toAt, timeZone)}: ${ending}${share}.`
}

function workOf({ window, subject, runs }: Material, cluster: string): string {
  if (subject.kind === 'window' && window !== null) return `"${window.title}" on ${cluster}`
  const [only, second] = runs
  return only === undefined || second !== undefined ? `Maintenance of ${cluster}` : workTitle(only.view.plan)
}

function whenWords(fromAt: string | null, toAt: string | null, timeZone: string): string {
  if (fromAt === null) return ''
  return toAt === null ? `, begun ${momentWords(fromAt, timeZone)}` : `, ${stretchWords(fromAt, toAt, timeZone)}`
}

function linesOf(material: Material, parts: SummaryParts, figures: ReportSummary['figures']): readonly string[] {
  const { window, runs, timeZone } = material
  const { instances, pods, damage } = parts
  if (!runs.some(hasBegun)) return untouchedLines(material, parts)
  const past = runs.flatMap(continuedSteps).map(continuedWords)
  const lines = [
    damageSentence(damage.length),
    ...verdictLines(material),
    past.length === 0 ? null : `${past.join(' ')} ${leftOutWords(nodesLeftOut(material))}`.trim(),
    instances.length === 0 ? null : instancesSentence(instanceFigures(instances, figures)),
    failedSentence(instances.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)),
    podsSentence(
      figures.podsEvicted,
      pods.flatMap(({ pod: { waitedMs } }) => (waitedMs !== null && waitedMs > 0 ? [waitedMs] : [])),
    ),
    lateSentence(parts.overranMs, momentWords(window?.endsAt ?? '', timeZone), runs.every(hasEnded)),
    problemSentence(figures.incidents, figures.overrides),
    leftLine(material),
  ]
  const said = lines.filter(line => line !== null)
  return said.length > 0 ? said : ['No instance and no pod was touched.']
}

function untouchedLines({ runs }: Material, { checks, damage }: SummaryParts): readonly string[] {
  const stood = checks.filter(({ overridden }) => overridden === null).map(({ message }) => asPhrase(message))
  return [
    damageSentence(damage.length),
    runs.length === 0 ? 'It has no run: nothing was touched.' : 'Nothing was touched: no instance and no pod.',
    stood.length === 0 ? null : `In the way: ${someOf([...new Set(stood)], 2, '; ')}.`,
  ].filter(line => line !== null)
}

function instanceFigures(instances: readonly ReportInstance[], figures: ReportSummary['figures']) {
  const count = (...outcomes: readonly ReportInstance['outcome'][]) =>
    instances.filter(({ outcome }) => outcomes.includes(outcome)).length
  const again = instances.filter(({ outcome, downtimeWords }) => outcome === 'stayed' && downtimeWords !== null).length
  return {
    moved: figures.instancesMoved,
    cold: instances.filter(({ outcome, action }) => outcome === 'moved' && action === 'cold_migrate').length,
    stopped: figures.instancesStopped,
    again,
    stayed: count('stayed', 'settled', 'left-to-owner') - again,
    here: count('left-here'),
    open: count('not-reached'),
  }
}

function leftLine({ runs }: Material): string | null {
  const left = runs.flatMap(({ view }, index) => {
    // A later run of the same node that ended well settles it.
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
