import { atOnce, type Pieces } from '../../shared/domain/pieces.ts'
import { isNodePlan, nodeOfPlan } from '../../shared/domain/plan.ts'
import { REPORT_SCHEMA, type Report, type ReportRun, type ReportSubject } from '../../shared/domain/report.ts'
import { isOfDemo } from '../../shared/domain/run.ts'
import { conditionOf } from '../../shared/domain/run-condition.ts'
import { endingOf, isReached, type RunEnding } from '../../shared/domain/run-ending.ts'
import { figuresOf } from '../../shared/domain/run-figures.ts'
import { foldInPieces } from '../../shared/domain/run-fold.ts'
import { listStateOf } from '../../shared/domain/run-list-state.ts'
import type { UpdateTimeline } from '../../shared/domain/update.ts'
import { foldWindow, type MaintenanceWindow } from '../../shared/domain/window.ts'
import { asPhrase } from '../../shared/grammar/counts.ts'
import { conditionSentence, conditionWord } from '../../shared/words/conditions.ts'
import { workTitle } from '../../shared/words/plans.ts'
import { endingTitle } from '../../shared/words/run-ending.ts'
import { windowTimeline } from '../../shared/words/timelines.ts'
import { wordedWindow } from '../../shared/words/window-remarks.ts'
import type { JournalExtract } from '../ports/journal.ts'
import {
  buildCephFlags,
  buildChecks,
  buildClocks,
  buildLocks,
  buildRequests,
  buildSignals,
  buildVersions,
} from './build-cloud.ts'
import { buildIncidents } from './build-incidents.ts'
import { buildInstances } from './build-instances.ts'
import { buildNodes } from './build-nodes.ts'
import { buildPods } from './build-pods.ts'
import { buildSummary } from './build-summary.ts'
import { buildCompleteness, buildEstimate, buildWindow, overranMs } from './build-window.ts'
import { hasBegun, isDone, type Material, type ReportedRun, readHistory } from './material.ts'
import { entriesInPieces, type ReadEntries } from './read-entries.ts'
import { sealedInPieces } from './seal.ts'

/** What a report is made from: entries of the journal, and the few things that are not in it. */
interface ReportRequest {
  readonly subject: ReportSubject
  readonly extract: JournalExtract
  readonly madeAt: string
  readonly madeBy: Report['madeBy']
  readonly flavour: string
  /** Runs that no console carried out at that moment. */
  readonly interruptedRunIds: readonly string[]
}

/** The same entries always give the same report, so that `report verify` can rebuild it. Null if the entries have nothing of the subject. */
export function buildReport(request: ReportRequest): Report | null {
  return atOnce(reportInPieces(request))
}

export function* reportInPieces(request: ReportRequest): Pieces<Report | null> {
  const { subject, extract, madeAt, madeBy } = request
  const read = yield* entriesInPieces(extract.entries)
  yield
  const material = yield* materialOf(read, request)
  yield
  const { window, runs } = material
  if (subject.kind === 'window' ? window === null : runs.length === 0) return null
  const plan = runs[0]?.view.plan
  const cluster = { name: window?.cluster ?? plan?.cluster ?? '', flavour: plan?.flavour ?? request.flavour }
  for (const run of runs) {
    yield* readHistory(run)
    yield
  }
  const instances = yield* buildInstances(material)
  yield
  const pods = buildPods(material)
  yield
  const nodes = buildNodes(material, { instances, pods })
  yield
  const checks = buildChecks(material)
  yield
  const incidents = buildIncidents(material)
  yield
  const completeness = buildCompleteness(material)
  yield
  const damage = [...extract.damage, ...read.damage]
  const overran = overranMs(material)
  const parts = { cluster: cluster.name, completeness, nodes, instances, pods, checks, incidents, damage }
  const summary = buildSummary(material, { ...parts, overranMs: overran })
  yield
  const runsBuilt = [...buildRuns(material)]
  yield
  const locks = buildLocks(material)
  const requests = buildRequests(material)
  const cephFlags = buildCephFlags(material)
  yield
  const estimate = buildEstimate(material)
  const clocks = buildClocks(material)
  yield
  return yield* sealedInPieces({
    schema: REPORT_SCHEMA,
    subject,
    title: `${runs.some(isDemo) ? 'Demo, nothing here is real: ' : ''}${titleOf(material, cluster.name)}`,
    madeAt,
    madeBy,
    redacted: false,
    completeness,
    cluster,
    window: buildWindow(material, overran),
    summary,
    timeline: material.timeline,
    runs: runsBuilt,
    nodes: [...nodes],
    instances: [...instances],
    pods: pods.map(({ pod }) => pod),
    locks,
    requests,
    cephFlags,
    checks: [...checks],
    incidents: [...incidents],
    edits: [...material.edits],
    estimate,
    versions: buildVersions(material, madeBy),
    clocks,
    ...(material.signals.length === 0 ? {} : { signals: [...buildSignals(material)] }),
    damage,
    chain: extract.chain,
    entries: [...extract.entries],
  })
}

function* materialOf(read: ReadEntries, { subject, madeAt, interruptedRunIds }: ReportRequest): Pieces<Material> {
  const ids = subject.kind === 'run' ? [...read.runs.keys()].filter(id => id === subject.id) : [...read.runs.keys()]
  const runs: ReportedRun[] = []
  for (const id of ids) {
    const events = read.runs.get(id) ?? []
    runs.push({ view: yield* foldInPieces(events), events, interrupted: interruptedRunIds.includes(id) })
    yield
  }
  const window = windowOf(read, subject, runs)
  return {
    subject,
    now: madeAt,
    timeZone: window?.timeZone ?? 'UTC',
    runs,
    endings: nodeEndings(runs),
    window,
    edits: read.edits,
    observed: read.observed,
    signals: read.signals.filter(
      ({ runId }) => ids.includes(runId) || (subject.kind === 'window' && runId === subject.id),
    ),
    timeline: withoutCodes(
      windowTimeline({
        id: subject.id,
        runs: runs.map(({ view, events, interrupted }) => ({ id: view.id, plan: view.plan, events, interrupted })),
        plan: subject.kind === 'window' ? (window?.plan ?? null) : null,
        // What others did to the cloud meanwhile is not the work; measured figures are.
        more: read.observed.filter(moment => moment.kind === 'sample'),
        closed: subject.kind === 'run' || (window?.closed ?? null) !== null,
        now: madeAt,
      }),
    ),
  }
}

function windowOf(read: ReadEntries, subject: ReportSubject, runs: readonly ReportedRun[]): MaintenanceWindow | null {
  const plans = runs.map(({ view }) => view.plan.window)
  const own = plans.find(window => window?.kind === 'in')
  const id = subject.kind === 'window' ? subject.id : own?.kind === 'in' ? own.id : null
  const folded = id === null ? null : foldWindow(read.windows.get(id) ?? [])
  return folded === null ? null : wordedWindow(folded)
}

/** The timeline without codes, which reports do not have. */
function withoutCodes(timeline: UpdateTimeline): Report['timeline'] {
  const { eta } = timeline
  return {
    ...timeline,
    lanes: timeline.lanes.map(lane => ({ ...lane, spans: lane.spans.map(({ passed, ...span }) => span) })),
    eta: eta === null ? null : { lowAt: eta.lowAt, highAt: eta.highAt, basis: eta.basis },
  }
}

function isDemo({ events }: ReportedRun): boolean {
  return events.some(({ body }) => body.kind === 'run-created' && isOfDemo(body.driver))
}

function titleOf({ subject, window, runs, endings }: Material, cluster: string): string {
  if (subject.kind === 'window') return `${window?.title ?? subject.id} · ${cluster}`
  const [run] = runs
  if (run === undefined) return `Maintenance of ${cluster}`
  const { plan } = run.view
  if (!isNodePlan(plan) || !isDone(run)) return workTitle(plan)
  const ending = endings.get(plan.node)
  // The run did not reach its goal: the state of the node says more than the plan.
  if (ending !== undefined && !isReached(ending)) {
    const title = endingTitle(ending, `${plan.node} of ${cluster}`)
    return title === null ? workTitle(plan) : asPhrase(title)
  }
  switch (plan.kind) {
    case 'enter':
      return `${plan.node} of ${cluster} taken out of service`
    case 'leave':
      return `${plan.node} of ${cluster} brought back into service`
    case 'maintain':
      return `${plan.node} of ${cluster} maintained and brought back into service`
    case 'rescue':
      return `Instances of ${plan.node} of ${cluster} rescued, as far as possible`
    case 'home':
      return `Instances of ${plan.node} of ${cluster} brought back, as far as possible`
    case 'undo':
      return `A run on ${plan.node} of ${cluster} undone, as far as possible`
  }
}

function buildRuns({ runs }: Pick<Material, 'runs'>): readonly ReportRun[] {
  return runs.map(run => {
    const { view } = run
    const { plan, state, driver } = view
    const finished = state.kind === 'finished' ? state : null
    const condition = conditionOf(view, run.interrupted)
    return {
      id: view.id,
      kind: plan.kind,
      node: nodeOfPlan(plan) ?? '',
      outcome: finished?.outcome ?? null,
      state: listStateOf(view, condition),
      stands: conditionWord(condition),
      ...(condition.kind === 'over' ? { ending: condition.ending } : {}),
      operator: driver.operator,
      machine: driver.machine,
      version: driver.version,
      fromAt: view.createdAt,
      toAt: view.endedAt,
      summary: conditionSentence(condition),
      ...(condition.kind === 'over' ? { ending: condition.ending } : {}),
      figures: figuresOf(view, run.events),
      leftBehind: [...(finished?.leftBehind ?? [])],
      reason: isNodePlan(plan) ? plan.options.reason : plan.update.reason,
      outsideWindow: plan.window?.kind === 'outside' ? plan.window.reason : null,
    }
  })
}

/** How the newest run that started work at each node ended. A node is absent while that run has not ended. Runs that bring instances back do not count. */
function nodeEndings(runs: readonly ReportedRun[]): ReadonlyMap<string, RunEnding> {
  const newest = new Map(
    runs.flatMap(run => {
      const { plan } = run.view
      return isNodePlan(plan) && plan.kind !== 'home' && (hasBegun(run) || isDone(run))
        ? [[plan.node, run.view] as const]
        : []
    }),
  )
  return new Map(
    [...newest].flatMap(([node, view]) =>
      view.state.kind === 'finished' ? [[node, endingOf(view, view.state)] as const] : [],
    ),
  )
}
