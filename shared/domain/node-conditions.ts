import { z } from 'zod'
import { counted } from '../grammar/counts.ts'
import type { CephOsd } from './ceph.ts'
import { osdsOfNode, unprotectedOsds } from './ceph-safety.ts'
import type { ComputeService } from './openstack.ts'

/** Whether something is so; `unknown` when the world could not be asked. */
export const ConditionHolds = z.enum(['holds', 'does-not-hold', 'unknown'])
export type ConditionHolds = z.infer<typeof ConditionHolds>

/**
 * What a role asks of a node in maintenance (seed 004, "Verify" of each role; docs/domain.md B.1), and whether it is so now. `general` stands
 * for a node that is no control node: its pods have to be gone too.
 */
export const NodeCondition = z.strictObject({
  role: z.enum(['general', 'control', 'compute', 'storage']),
  holds: ConditionHolds,
  /** What is so, or what is not, in an operator's words; a whole sentence. */
  text: z.string(),
})
export type NodeCondition = z.infer<typeof NodeCondition>

/** One answer of the world, by the predicates that a run's verify and the node's state share. */
type Told = Pick<NodeCondition, 'holds' | 'text'>

/** Kubernetes places no new pods on the node. */
export function isCordoned(node: { readonly name: string; readonly unschedulable: boolean }): Told {
  return node.unschedulable
    ? { holds: 'holds', text: `${node.name} is unschedulable.` }
    : { holds: 'does-not-hold', text: `${node.name} is schedulable.` }
}

/** No pod that has to leave is on the node; null when that could not be asked. */
export function isDrained(name: string, podsLeft: number | null): Told {
  if (podsLeft === null) return { holds: 'unknown', text: `Which pods are on ${name} could not be asked.` }
  return podsLeft === 0
    ? { holds: 'holds', text: `No pod that had to leave is on ${name}.` }
    : {
        holds: 'does-not-hold',
        text: `${counted(podsLeft, 'pod that is', 'pods that are')} on ${name} should have left.`,
      }
}

/**
 * Nova schedules nothing onto the host, and its hypervisor service stays (seed 004, verify "No instances", "Nova is disabled"). While the machine
 * itself is away (`machineAway`) a silent service is no finding: that is what the maintenance is for.
 */
export function isDisabledAndUp(
  service: Pick<ComputeService, 'host' | 'status' | 'state'>,
  machineAway: boolean,
): Told {
  const { host, status, state } = service
  if (status !== 'disabled') return { holds: 'does-not-hold', text: `nova-compute on ${host} is enabled.` }
  if (state === 'up') return { holds: 'holds', text: `nova-compute on ${host} is disabled and up.` }
  return machineAway
    ? { holds: 'holds', text: `nova-compute on ${host} is disabled, and down with its machine.` }
    : { holds: 'does-not-hold', text: `nova-compute on ${host} is disabled, but down.` }
}

/** No instance that had to leave is on the host; null when that could not be asked. */
export function isEmptied(host: string, instancesLeft: number | null): Told {
  if (instancesLeft === null) return { holds: 'unknown', text: `Which instances are on ${host} is not known.` }
  return instancesLeft === 0
    ? { holds: 'holds', text: `No instance that had to leave is on ${host}.` }
    : {
        holds: 'does-not-hold',
        text: `${counted(instancesLeft, 'instance that is', 'instances that are')} on ${host} had to leave.`,
      }
}

/**
 * Every OSD of the node may be lost without data being moved: covered by noout, or down already; null when Ceph could not be asked. Both are optional
 * (seed 004, storage: "N/A" to verify): with `isOptional` a node for whose OSDs neither was done is no less in maintenance, and its verdict lists them.
 */
export function isProtected(name: string, osds: readonly CephOsd[] | null, isOptional: boolean): Told {
  if (osds === null) return { holds: 'unknown', text: `Ceph could not be asked about the OSDs of ${name}.` }
  const own = osdsOfNode(osds, name)
  if (own.length === 0) return { holds: 'holds', text: `Ceph has no OSD on ${name}.` }
  const open = unprotectedOsds(osds, name)
  if (open.length === own.length && isOptional) {
    return { holds: 'holds', text: `OSD ${osdIds(open)} of ${name}: up without noout, which is optional.` }
  }
  if (open.length > 0) {
    return { holds: 'does-not-hold', text: `OSD ${osdIds(open)} of ${name}: up, and not covered by noout.` }
  }
  const down = own.filter(osd => !osd.up)
  const covered = own.filter(osd => osd.noout)
  const said = [
    ...(covered.length > 0 ? [`OSD ${osdIds(covered)} covered by noout`] : []),
    ...(down.length > 0 ? [`OSD ${osdIds(down)} down`] : []),
  ]
  return { holds: 'holds', text: `On ${name}: ${said.join('; ')}.` }
}

/** Several answers as one: one that does not hold decides, then one that is unknown; each that matters is said. */
export function allOf(told: readonly Told[]): Told {
  for (const holds of ['does-not-hold', 'unknown'] as const) {
    const those = told.filter(answer => answer.holds === holds)
    if (those.length > 0) return { holds, text: those.map(({ text }) => text).join(' ') }
  }
  return { holds: 'holds', text: told.map(({ text }) => text).join(' ') }
}

/**
 * What of Ceph already speaks of a maintenance of just this node: OSDs that are down, noout of its own host, or a note that it needs noout
 * (`notedFor`, the run). A noout for all of Ceph says nothing of one node: MicroCeph knows no other (docs/domain.md C.1).
 */
export function osdTroubles(name: string, osds: readonly CephOsd[], notedFor: string | null): readonly string[] {
  const own = osdsOfNode(osds, name)
  const down = own.filter(osd => !osd.up)
  return [
    ...(down.length > 0 ? [`OSD ${osdIds(down)} of it ${down.length === 1 ? 'is' : 'are'} down`] : []),
    ...(own.some(osd => osd.hostNoout) ? ['noout is set for its OSDs'] : []),
    ...(notedFor === null ? [] : [`run ${notedFor} keeps noout for it`]),
  ]
}

/** What a node stands as by its roles alone, when no run works on it. */
type StandingByRoles = 'active' | 'maintenance' | 'partial' | 'unknown'

/**
 * In maintenance only while every role's conditions hold, active only while nothing is out of service. `isOutOfService`: something of it is
 * visibly out of service, so that it cannot be active.
 */
export function nodeStateByRoles(conditions: readonly NodeCondition[], isOutOfService: boolean): StandingByRoles {
  const any = (holds: ConditionHolds) => conditions.some(condition => condition.holds === holds)
  if (!isOutOfService) return any('unknown') ? 'unknown' : 'active'
  if (any('does-not-hold')) return 'partial'
  return any('unknown') ? 'unknown' : 'maintenance'
}

function osdIds(osds: readonly CephOsd[]): string {
  return osds.map(({ id }) => id).join(', ')
}
