import { assertNever } from '../domain/must.ts'
import type { Plan } from '../domain/plan.ts'
import type { RunEvent } from '../domain/run.ts'
import type { UpdateMoment, UpdateTimeline } from '../domain/update.ts'
import { foldTimeline } from '../domain/update-fold.ts'
import { momentsOfRun, type RunMoment } from '../domain/update-moments.ts'
import { nodesOfPlan } from '../domain/update-nodes.ts'
import type { WaitSaid } from '../domain/wait-history.ts'
import { windowHistory } from '../domain/window-timeline.ts'
import { wordedTimeline } from './forecasts.ts'
import { leaseWords, leftToOwnersWords } from './waits.ts'

/** The timeline of an update by a run; `more`: moments from other sources, such as an observer's samples. */
export function timelineOfRun(
  run: { readonly id: string; readonly plan: Plan },
  events: readonly RunEvent[],
  now: string,
  more: readonly UpdateMoment[] = [],
): UpdateTimeline {
  const moments = [...momentsOfRun(run.plan, events).map(momentWords), ...more].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  )
  const source = { kind: 'run', runId: run.id } as const
  return wordedTimeline(foldTimeline({ source, nodes: nodesOfPlan(run.plan), moments, now }))
}

/** The timeline of a window or of one run, for report and screen (style G34). `id`: the window's, or the only run's; `now`: ISO. */
export function windowTimeline(
  input: Parameters<typeof windowHistory>[0] & { readonly id: string; readonly now: string },
): UpdateTimeline {
  const { nodes, moments, hasPhases } = windowHistory(input)
  const source = { kind: 'run', runId: input.id } as const
  const timeline = wordedTimeline(foldTimeline({ source, nodes, moments: moments.map(momentWords), now: input.now }))
  return hasPhases ? timeline : { ...timeline, phase: null, phases: [] }
}

function momentWords(moment: RunMoment): UpdateMoment {
  switch (moment.kind) {
    case 'phase':
    case 'phase-times':
    case 'over':
    case 'sample':
      return moment
    case 'stage': {
      const passed = moment.evidence.findLast(each => each.code === 'StepPassed')?.reason
      const evidence = moment.evidence.map(evidenceWords)
      return { ...moment, evidence, ...(passed === undefined ? {} : { passed }) }
    }
    case 'wait':
      return { ...moment, what: moment.what.length === 0 ? null : waitsWords(moment.what) }
    case 'rest':
      return { ...moment, why: restWords(moment.why) }
    case 'retry':
      return { ...moment, what: retriedWords(moment.what) }
    default:
      return assertNever(moment, 'moment of a run')
  }
}

type ValuesOf<Kind extends RunMoment['kind'], Key extends string> =
  Extract<RunMoment, { kind: Kind }> extends { readonly [Each in Key]: infer Value } ? Value : never

function evidenceWords(known: ValuesOf<'stage', 'evidence'>[number]): string {
  switch (known.code) {
    case 'StepSays':
      return `${known.step}: ${known.said}`
    case 'StepPassed':
      return `${known.step}: passed, ${known.reason}`
    case 'TakenUp':
      return `accepted by ${known.by}`
    case 'RunEnded':
      return known.summary
  }
}

function restWords(why: ValuesOf<'rest', 'why'>): string {
  switch (why.code) {
    case 'DriverLost':
      return 'its console stopped answering'
    case 'NobodyWorks':
      return `paused: ${why.cause}`
    case 'NotHandedOver':
      return `paused because it was not handed over. ${why.cause}`
    case 'HandedOver':
      return why.summary
    case 'RunLost':
      return 'its run has no console'
    case 'Closed':
      return ''
  }
}

function retriedWords(what: ValuesOf<'retry', 'what'>): string {
  switch (what.code) {
    case 'AttemptBegun':
      return `${what.step}: attempt ${what.attempt}`
    case 'PodFailed':
      return `${what.pod}: ${what.cause ?? 'could not be evicted'}`
    case 'MigrationFailed':
      return `${what.instance}: ${what.cause ?? 'the migration failed'}`
    default:
      return waitWords(what)
  }
}

/** All waits, because the wait of one controller may be the cause of the next. */
function waitsWords(all: readonly WaitSaid[]): string {
  return [...new Set(all.map(waitWords))].join('; ')
}

function waitWords(what: WaitSaid): string {
  switch (what.code) {
    case 'LeftToOwners':
      return leftToOwnersWords(what.names, what.node)
    case 'LockSays':
      return `${what.controller}: ${what.message}`
    case 'LeaseAway':
      return leaseWords(what.node, what.cause)
    case 'Paused':
      return 'paused by the operator'
    case 'NobodyDrives':
      return `no console runs it: ${what.cause}`
    case 'NotHandedOver':
      return `no console runs it because it was not handed over. ${what.cause}`
    case 'PersonAsked':
      return `an operator: ${what.question}`
    case 'StepWaits':
      return what.cause ?? 'a condition that may pass'
    case 'BudgetRefuses':
      return what.budget ?? `${what.pod} may not be evicted yet`
    case 'FinalizerKeepsPod':
      return `${what.pod} has ended, but ${what.by ?? 'a finalizer'} keeps it`
    case 'EvictionNotCarriedOut':
      return `${what.pod}: Kubernetes accepted its eviction but does not delete it`
    case 'InstanceAsks':
      return `${what.name}: ${what.cause}`
  }
}
