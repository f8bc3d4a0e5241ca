import { type ClusterWorkloadLock, type NodeWorkloadLock, nodeMeant } from '../../../shared/domain/maintenance-api.ts'
import type { UpdateMoment, UpdatePhase, UpdateTimeline } from '../../../shared/domain/update.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { LcmReport } from '../../ports/lcm.ts'
import type { NodeInUpdate } from './derive.ts'

/** Marks unobserved events, which others report. */
export const UNWATCHED_NOTE = 'nobody watched'

type Lock = Pick<ClusterWorkloadLock | NodeWorkloadLock, 'writers'>

/** When the last of these locks reached its state; null if there is no lock, no time, or a time that cannot be true because clocks differ. */
export function lastStateChangeAt(locks: readonly Lock[], sinceAt: string | null, nowAt: string): string | null {
  const writes = locks.map(({ writers }) => writers.find(({ subresource }) => subresource === 'status')?.at ?? null)
  const known = writes.flatMap(write => write ?? [])
  const last = known.toSorted((a, b) => Date.parse(a) - Date.parse(b)).at(-1)
  if (last === undefined || known.length < writes.length || sinceAt === null) return null
  return isBetween(last, sinceAt, nowAt) ? last : null
}

/** When a node entered its stage, by its objects; null if unknown. */
export function stageAt(
  { knowledge, request, locks, saidAt }: NodeInUpdate,
  sinceAt: string | null,
  nowAt: string,
): string | null {
  if (saidAt !== null) return saidAt
  const from = request?.createdAt ?? sinceAt
  switch (knowledge.stage) {
    case 'draining':
    case 'done':
      return lastStateChangeAt(locks, from, nowAt)
    case 'returning': {
      const going = request?.deletingSince ?? null
      return going !== null && from !== null && isBetween(going, from, nowAt) ? going : null
    }
    default:
      return null
  }
}

/** When the first of these nodes was requested; null if none was, or one is done already, so that it was not the first. */
export function firstRequestAt(nodes: readonly NodeInUpdate[]): string | null {
  if (nodes.some(({ knowledge }) => knowledge.stage === 'done')) return null
  const asked = nodes.flatMap(({ request }) => request?.createdAt ?? [])
  return asked.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null
}

/** Phase times from LCM's plan that differ from the timeline. A phase that ended before the request belongs to an earlier update. */
export function phaseTimes(
  lcm: Pick<LcmReport, 'begun' | 'done'>,
  { phases, startedAt, endedAt }: UpdateTimeline,
  nowAt: string,
): readonly UpdateMoment[] {
  if (startedAt === null) return []
  const of = (list: readonly { readonly phase: UpdatePhase; readonly at: string }[], phase: UpdatePhase) =>
    list.find(each => each.phase === phase)?.at ?? null
  return phases.flatMap((span): readonly UpdateMoment[] => {
    const { phase } = span
    const toAt = of(lcm.done, phase)
    const fromAt = of(lcm.begun, phase)
    const isWithin = endedAt === null || (fromAt !== null && isBetween(fromAt, startedAt, endedAt))
    const isOfThis = toAt === null ? isWithin : Date.parse(toAt) >= Date.parse(startedAt)
    if (!isOfThis) return []
    // Future phases have no time, and a running one has no end.
    if (toAt === null && (fromAt === null || span.state === 'pending')) return []
    const isSo =
      (fromAt === null || span.fromAt === fromAt) && (toAt === null || (span.toAt === toAt && span.state === 'done'))
    return isSo ? [] : [{ kind: 'phase-times', at: nowAt, phase, fromAt, toAt }]
  })
}

/** After an update's end: nodes whose completion only LCM reports, singly or with their phase. */
export function nodesDoneByLcm(
  lcm: Pick<LcmReport, 'upgraded' | 'done'>,
  { lanes, startedAt }: UpdateTimeline,
): readonly UpdateMoment[] {
  const sinceMs = Date.parse(startedAt ?? '')
  const ofThis = ({ at }: { readonly at: string }) => Date.parse(at) >= sinceMs
  const names = lanes.map(({ node }) => node)
  const upgraded = new Map(lcm.upgraded.filter(ofThis).map(each => [nodeMeant(each.machine, names), each]))
  const done = new Map(lcm.done.filter(ofThis).map(({ phase, at }) => [phase, { at, said: `${phase} Completed` }]))
  return lanes.flatMap(({ node, phase, stage }): readonly UpdateMoment[] => {
    const completed = stage === 'done' || stage === 'skipped' ? undefined : (upgraded.get(node) ?? done.get(phase))
    if (completed === undefined) return []
    const evidence = [because('LcmSays', { said: completed.said }).message]
    return [{ kind: 'stage', at: completed.at, node, stage: 'done', note: UNWATCHED_NOTE, evidence }]
  })
}

function isBetween(at: string, from: string, to: string): boolean {
  return Date.parse(at) >= Date.parse(from) && Date.parse(at) <= Date.parse(to)
}
