import { isNodePlan } from '../../shared/domain/plan.ts'
import { REPORT_SCHEMA, type Report, type ReportSubject } from '../../shared/domain/report.ts'
import { isOfDemo } from '../../shared/domain/run.ts'
import { isReached } from '../../shared/domain/run-ending.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'
import type { UpdateTimeline } from '../../shared/domain/update.ts'
import { foldWindow, type MaintenanceWindow, windowStatus } from '../../shared/domain/window.ts'
import { asPhrase } from '../../shared/grammar/counts.ts'
import { workTitle } from '../../shared/words/plans.ts'
import { endingTitle } from '../../shared/words/run-ending.ts'
import { windowTimeline } from '../../shared/words/timelines.ts'
import { wordedWindow } from '../../shared/words/window-remarks.ts'
import type { JournalExtract } from '../ports/journal.ts'
import { buildCephFlags } from './build-ceph-flags.ts'
import { buildChecks } from './build-checks.ts'
import { buildClocks } from './build-clocks.ts'
import { buildCompleteness } from './build-completeness.ts'
import { buildEstimate } from './build-estimate.ts'
import { buildIncidents } from './build-incidents.ts'
import { buildInstances } from './build-instances.ts'
import { buildLocks, buildRequests } from './build-locks.ts'
import { buildNodes } from './build-nodes.ts'
import { buildPods } from './build-pods.ts'
import { buildRuns } from './build-runs.ts'
import { buildSignals } from './build-signals.ts'
import { buildSummary, overranMs } from './build-summary.ts'
import { buildVersions } from './build-versions.ts'
import { isDone, isOver, type Material, type ReportedRun } from './material.ts'
import { nodeEndings } from './node-endings.ts'
import { type ReadEntries, readEntries } from './read-entries.ts'
import { sealed } from './seal.ts'

/** What a report is made from: entries of the journal, and the few things that are not in them. */
interface ReportRequest {
  readonly subject: ReportSubject
  readonly extract: JournalExtract
  /** ISO; what goes on is told until then. */
  readonly madeAt: string
  readonly madeBy: Report['madeBy']
  /** Of a window without runs, whose entries do not say it. */
  readonly flavour: string
  /** Runs that nobody drove at that moment. */
  readonly interruptedRunIds: readonly string[]
}

/**
 * The report of a run or a window: pure and the same every time, from the journal's raw entries alone, so that `report verify` can make it
 * again and compare. Null when the entries hold nothing of the subject.
 */
export function buildReport(request: ReportRequest): Report | null {
  const { subject, extract, madeAt, madeBy } = request
  const read = readEntries(extract.entries)
  const material = materialOf(read, request)
  const { window, runs } = material
  if (subject.kind === 'window' ? window === null : runs.length === 0) return null
  const plan = runs[0]?.view.plan
  const cluster = { name: window?.cluster ?? plan?.cluster ?? '', flavour: plan?.flavour ?? request.flavour }
  const instances = buildInstances(material)
  const pods = buildPods(material)
  const nodes = buildNodes(material, { instances, pods })
  const checks = buildChecks(material)
  const incidents = buildIncidents(material)
  const completeness = buildCompleteness(material)
  const damage = [...extract.damage, ...read.damage]
  const overran = overranMs(material)
  const parts = { cluster: cluster.name, completeness, nodes, instances, pods, checks, incidents, damage }
  return sealed({
    schema: REPORT_SCHEMA,
    subject,
    title: `${runs.some(isDemo) ? 'Demo, nothing here is real: ' : ''}${titleOf(material, cluster.name)}`,
    madeAt,
    madeBy,
    redacted: false,
    completeness,
    cluster,
    window: window === null ? null : windowPart(window, material, overran),
    summary: buildSummary(material, { ...parts, overranMs: overran }),
    timeline: material.timeline,
    runs: [...buildRuns(material)],
    nodes: [...nodes],
    instances: [...instances],
    pods: pods.map(({ pod }) => pod),
    locks: buildLocks(material),
    requests: buildRequests(material),
    cephFlags: buildCephFlags(material),
    checks: [...checks],
    incidents: [...incidents],
    edits: [...material.edits],
    estimate: buildEstimate(material),
    versions: buildVersions(material, madeBy),
    clocks: buildClocks(material),
    ...(material.signals.length === 0 ? {} : { signals: [...buildSignals(material)] }),
    damage,
    chain: extract.chain,
    entries: [...extract.entries],
  })
}

function materialOf(read: ReadEntries, { subject, madeAt, interruptedRunIds }: ReportRequest): Material {
  const ids = subject.kind === 'run' ? [...read.runs.keys()].filter(id => id === subject.id) : [...read.runs.keys()]
  const runs: readonly ReportedRun[] = ids.map(id => {
    const events = read.runs.get(id) ?? []
    return { view: foldRun(events), events, interrupted: interruptedRunIds.includes(id) }
  })
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
        // The work is not what others did to the cluster meanwhile; figures that were taken belong to it.
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

function windowPart(window: MaintenanceWindow, { runs, now }: Material, overran: number): Report['window'] {
  const { id, title, ticket, startsAt, endsAt, timeZone, operator, notes, remarks, closed } = window
  const working = runs.some(run => !isOver(run))
  return {
    id,
    title,
    ticket,
    startsAt,
    endsAt,
    timeZone,
    operator,
    status: windowStatus(window, Date.parse(now), working),
    notes,
    // As earlier versions have them: their reports are made again to verify them.
    remarks: remarks.map(({ at, kind, text, by }) => ({ at, kind, text, by })),
    closed,
    overranMs: overran,
  }
}

/** A timeline as earlier versions have it: their reports are made again to verify them. */
function withoutCodes(timeline: UpdateTimeline): Report['timeline'] {
  const { eta } = timeline
  return {
    ...timeline,
    lanes: timeline.lanes.map(lane => ({ ...lane, spans: lane.spans.map(({ passed, ...span }) => span) })),
    eta: eta === null ? null : { lowAt: eta.lowAt, highAt: eta.highAt, basis: eta.basis },
  }
}

/** Whether a run was driven against embedded clouds. */
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
  // What the run was for did not come about: the node's own verdict is the title.
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
      return `Instances of ${plan.node} of ${cluster} that could be rescued are`
    case 'home':
      return `Instances of ${plan.node} of ${cluster} that could come home are there`
    case 'undo':
      return `What could be undone of a run on ${plan.node} of ${cluster} is undone`
  }
}
