import {
  type AcceptedRun,
  isFinalPhase,
  type MaintenanceRun,
  type MaintenanceRunSpec,
} from '../../../shared/domain/maintenance-run.ts'
import type { Plan } from '../../../shared/domain/plan.ts'
import { campaignWaitFound } from '../../../shared/wings/runner/words/campaign-waits.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { campaignGateNow } from './campaign-gate.ts'
import { isTooLate, lastStart } from './last-start.ts'
import type { PlanOfSpec } from './plan-of-spec.ts'
import type { RunnerObjects } from './ports/maintenance-runs.ts'

/** What a runner knows of a cloud. `unusable`: its Secret cannot be used. */
export type CloudStatus =
  | { readonly kind: 'known' }
  | { readonly kind: 'unusable'; readonly why: Finding }
  | { readonly kind: 'unknown'; readonly forMs: number }

/** What is needed to judge a MaintenanceRun that is not in this journal. */
interface JudgedBy {
  readonly nowMs: number
  /** The journal of this runner, as a status names it. */
  readonly runner: string
  readonly cloud: CloudStatus
  /** All MaintenanceRuns of the namespace, and what each asks for. */
  readonly all: readonly MaintenanceRun[]
  /** The campaigns that decide when some of them begin. */
  readonly campaigns: RunnerObjects['campaigns']
  readonly planOf: (run: MaintenanceRun) => PlanOfSpec
  /** Why no run may begin now, such as a full volume; null: runs may. */
  readonly notNow: Finding | null
}

/** What a runner does about a MaintenanceRun that it has not begun. */
type Judgement =
  /** Nothing: it has ended, or belongs to another runner. */
  | { readonly kind: 'left-alone' }
  /** Refuses it: it will never begin. */
  | { readonly kind: 'refused'; readonly why: Finding }
  /** It will never begin, because a person aborted its campaign. */
  | { readonly kind: 'aborted'; readonly why: Finding }
  /** Not yet. `atMs`: when to check it again; null: when something changes. */
  | {
      readonly kind: 'not-yet'
      readonly phase: 'Pending' | 'Scheduled'
      readonly why: Finding
      readonly atMs: number | null
    }
  /** The remaining checks read the clouds. */
  | { readonly kind: 'may-begin'; readonly plan: Plan; readonly spec: MaintenanceRunSpec }

/** How long a cloud may be unknown before a run on it is refused: its Secret may be created at the same time. */
const SECRET_MAY_COME_MS = 30_000

/** Judges a MaintenanceRun that is not in this journal, by what the runner knows without a request. */
export function judgeRun(run: MaintenanceRun, by: JudgedBy): Judgement {
  const { status, spec } = run
  if (status !== null && 'unreadable' in status) return { kind: 'left-alone' }
  if (status !== null && isFinalPhase(status.phase)) return { kind: 'left-alone' }
  // Another journal has it, or may have it: only there it can continue without doing anything twice.
  const claimed = status?.driver ?? null
  if (claimed !== null && claimed.runner !== by.runner) return { kind: 'left-alone' }
  if ('unreadable' in spec) return refused(because('ObjectUnreadable', { unreadable: spec.unreadable }))
  const read = by.planOf(run)
  if (read.kind === 'refused') return refused(read.why)
  if (spec.startAfter !== null && read.plan.options.overrides.length > 0) {
    return refused(because('OverrideForLater'))
  }
  const other = whoHasPlan(run, read.plan.id, by)
  if (other !== null) {
    return refused(because('PlanOfOtherRun', { run: other, plan: read.plan.id }))
  }
  const last = lastStart(run, spec)
  if (isTooLate(last, by.nowMs)) return refused(last.why)
  // Checked before the cloud: a run that waits for others needs no request to it.
  const gate = campaignGateNow(run, { campaigns: by.campaigns, runs: by.all })
  if (gate.kind === 'aborted') return gate
  if (gate.kind === 'over') return refused(gate.why)
  if (gate.kind === 'waits') {
    return { kind: 'not-yet', phase: 'Scheduled', why: campaignWaitFound(gate.wait), atMs: null }
  }
  switch (by.cloud.kind) {
    case 'unknown':
      if (by.cloud.forMs >= SECRET_MAY_COME_MS) return refused(because('CloudUnknown', { cluster: spec.cluster }))
      return notYet(because('CloudAwaited', { cluster: spec.cluster }), by.nowMs + SECRET_MAY_COME_MS - by.cloud.forMs)
    case 'unusable':
      return notYet(by.cloud.why, null)
    case 'known':
      break
  }
  const startMs = spec.startAfter === null ? by.nowMs : Date.parse(spec.startAfter)
  if (startMs > by.nowMs) {
    const why = because('BeginsAt', { startAfter: spec.startAfter ?? '' })
    return { kind: 'not-yet', phase: 'Scheduled', why, atMs: startMs }
  }
  if (by.notNow !== null) return notYet(by.notNow, null)
  return { kind: 'may-begin', plan: read.plan, spec }
}

/** The part of a MaintenanceRun that its run keeps. */
export function acceptedOf({ name, uid }: MaintenanceRun, spec: MaintenanceRunSpec): AcceptedRun {
  const { plan: _plan, kind: _kind, cluster: _cluster, node: _node, handedOver: _handedOver, ...kept } = spec
  return { ...kept, name, uid }
}

/** The other MaintenanceRun with this plan: the one that began, else the first one. */
function whoHasPlan(
  run: MaintenanceRun,
  planId: string,
  { all, planOf }: Pick<JudgedBy, 'all' | 'planOf'>,
): string | null {
  const others = all.filter(other => {
    const read = other.uid === run.uid ? null : planOf(other)
    return read?.kind === 'plan' && read.plan.id === planId
  })
  const has =
    others.find(other => isBegun(other)) ?? (isBegun(run) ? undefined : others.find(other => cameFirst(other, run)))
  return has?.name ?? null
}

function isBegun({ status }: MaintenanceRun): boolean {
  return status !== null && !('unreadable' in status) && (status.runId !== null || status.driver !== null)
}

/**
 * Whether of two objects with one plan, neither of them begun, `one` was there first. Nobody knows the id of a plan before its object is there, so a copy is always made
 * after what it copies, and is not to get that refused. Times of creation tell whole seconds by the clock of whichever API server answered, and names and
 * UIDs are the copier's to try again. So it goes by what etcd counts: which of two that no runner has looked at was written first. One that a runner looked at was looked
 * at while the copy, had it been there, would have been judged beside it. What was refused or withdrawn has carried out nothing, and stands in nobody's way.
 */
function cameFirst(one: MaintenanceRun, other: MaintenanceRun): boolean {
  const [a, b] = [RANKS[statusOf(one)], RANKS[statusOf(other)]]
  if (a !== b) return a < b
  const written = statusOf(one) === 'unseen' ? byVersion(one, other) : 0
  return (written || one.createdAt.localeCompare(other.createdAt) || one.uid.localeCompare(other.uid)) < 0
}

/** What runners wrote about an object that has not begun. */
function statusOf({ status }: MaintenanceRun): 'seen' | 'unseen' | 'over' {
  if (status === null) return 'unseen'
  return !('unreadable' in status) && isFinalPhase(status.phase) ? 'over' : 'seen'
}

const RANKS = { seen: 0, unseen: 1, over: 2 } as const

/** In the order in which they were written; 0: the API server does not count. */
function byVersion(a: MaintenanceRun, b: MaintenanceRun): number {
  const [one, other] = [a.resourceVersion, b.resourceVersion]
  if (!/^\d+$/.test(one) || !/^\d+$/.test(other)) return 0
  return one.length - other.length || one.localeCompare(other)
}

function refused(why: Finding): Judgement {
  return { kind: 'refused', why }
}

function notYet(why: Finding, atMs: number | null): Judgement {
  return { kind: 'not-yet', phase: 'Pending', why, atMs }
}
