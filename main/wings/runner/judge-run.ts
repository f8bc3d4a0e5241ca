import {
  type AcceptedRun,
  isFinalPhase,
  type MaintenanceRun,
  type MaintenanceRunSpec,
  readableStatus,
} from '../../../shared/domain/maintenance-run.ts'
import type { Plan } from '../../../shared/domain/plan.ts'
import { campaignWaitFound } from '../../../shared/wings/runner/words/campaign-waits.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { campaignGateNow } from './campaign-gate.ts'
import { isTooLate, lastStart } from './last-start.ts'
import type { PlanOfSpec } from './plan-of-spec.ts'
import type { RunnerObjects } from './ports/maintenance-runs.ts'

/** What a runner knows about a cloud. `unusable`: its Secret cannot be used. */
export type CloudStatus =
  | { readonly kind: 'known' }
  | { readonly kind: 'unusable'; readonly why: Finding }
  | { readonly kind: 'unknown'; readonly forMs: number }

interface JudgedBy {
  readonly nowMs: number
  /** The journal of this runner, as a status names it. */
  readonly runner: string
  readonly cloud: CloudStatus
  readonly all: readonly MaintenanceRun[]
  readonly campaigns: RunnerObjects['campaigns']
  readonly planOf: (run: MaintenanceRun) => PlanOfSpec
  /** Why no run may begin now, such as a full volume; null if runs may. */
  readonly notNow: Finding | null
}

type Judgement =
  /** Nothing: it has ended, or belongs to another runner. */
  | { readonly kind: 'left-alone' }
  | { readonly kind: 'refused'; readonly why: Finding }
  /** It will never start, because an operator aborted its campaign. */
  | { readonly kind: 'aborted'; readonly why: Finding }
  /** Not yet. `atMs`: when to check it again; null means when something changes. */
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
  if (status !== null && ('unreadable' in status || isFinalPhase(status.phase))) return { kind: 'left-alone' }
  // Another journal has it, or may have it: only there it can continue without doing anything twice.
  const claimed = status?.driver ?? null
  if (claimed !== null && claimed.runner !== by.runner) return { kind: 'left-alone' }
  if ('unreadable' in spec) return refused(because('ObjectUnreadable', { unreadable: spec.unreadable }))
  const read = by.planOf(run)
  if (read.kind === 'refused') return refused(read.why)
  if (spec.startAfter !== null && read.plan.options.overrides.length > 0) {
    return refused(because('OverrideForLater'))
  }
  const other = otherRunWithPlan(run, read.plan.id, by)
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

export function acceptedOf({ name, uid }: MaintenanceRun, spec: MaintenanceRunSpec): AcceptedRun {
  const { plan: _plan, kind: _kind, cluster: _cluster, node: _node, handedOver: _handedOver, ...kept } = spec
  return { ...kept, name, uid }
}

/** The name of the other MaintenanceRun with this plan: the one that started, else the first one; null if there is none. */
function otherRunWithPlan(
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

function isBegun(run: MaintenanceRun): boolean {
  const status = readableStatus(run)
  return status !== null && (status.runId !== null || status.driver !== null)
}

/**
 * Whether `one` of two objects with the same plan, neither of them started, was created first. A plan's id is unknown before its object exists, so a copy is
 * always newer than its original, and must not cause its refusal. Creation times have whole seconds, by the clock of any API server, and the author of a
 * copy can choose names and try UIDs. So etcd's count of writes decides between two objects that no runner has checked. An object that a runner checked is
 * older: the runner would have seen the copy. An object that was refused or withdrawn did nothing and blocks no other.
 */
function cameFirst(one: MaintenanceRun, other: MaintenanceRun): boolean {
  const [a, b] = [RANKS[statusOf(one)], RANKS[statusOf(other)]]
  if (a !== b) return a < b
  const written = statusOf(one) === 'unseen' ? byVersion(one, other) : 0
  return (written || one.createdAt.localeCompare(other.createdAt) || one.uid.localeCompare(other.uid)) < 0
}

/** What runners wrote about an object that has not started. */
function statusOf({ status }: MaintenanceRun): 'seen' | 'unseen' | 'over' {
  if (status === null) return 'unseen'
  return !('unreadable' in status) && isFinalPhase(status.phase) ? 'over' : 'seen'
}

const RANKS = { seen: 0, unseen: 1, over: 2 } as const

/** Compares two runs by the order of their last writes; 0 if the API server does not count. */
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
