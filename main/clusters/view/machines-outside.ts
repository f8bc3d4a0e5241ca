import type { CephOsd } from '../../../shared/domain/ceph.ts'
import { crushHostsBeside, osdsOfNode } from '../../../shared/domain/ceph-safety.ts'
import type { ClusterFlavour } from '../../../shared/domain/cluster.ts'
import { isMaintenanceReason } from '../../../shared/domain/disabled-reason.ts'
import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import { isSameMachine } from '../../../shared/domain/machine-names.ts'
import {
  allOf,
  type ConditionReported,
  isDisabledAndUp,
  isEmptied,
  isProtected,
  type NodeCondition,
  nodeStateByRoles,
  osdProblems,
} from '../../../shared/domain/node-conditions.ts'
import type { NodeSummary } from '../../../shared/domain/node-summary.ts'
import {
  type EmptinessReading,
  type EmptinessVerdict,
  emptinessOf,
  type InstanceOnHost,
  instancesLeftIn,
} from '../../../shared/domain/node-verdict.ts'
import type { ComputeService } from '../../../shared/domain/openstack.ts'
import { conditionOf, conditionSaid } from '../../../shared/words/node-conditions.ts'
import { because } from '../../../shared/words/reasons.ts'
import { type Finding, messagesOf } from '../../../shared/words/steps/coded.ts'
import { computeServiceOf, matchComputeService } from '../../procedures/steps/compute/compute-host.ts'
import { type ActiveNodeRun, statusUnder } from './node-status.ts'
import { osdProblemFinding } from './osd-trouble.ts'

export interface HostOccupancy {
  readonly total: number
  readonly verdict: EmptinessVerdict
}

/** The occupancy of a host that is not a node; `moves`: instances that come to it, unread parts, and agreed stays. */
export function occupancyOfMachine(
  instances: readonly InstanceOnHost[],
  moves: Pick<EmptinessReading, 'returning' | 'unread' | 'isDrainOnly'>,
): HostOccupancy {
  const verdict = emptinessOf({
    at: '',
    looked: [],
    instances,
    returning: moves.returning,
    pods: [],
    unread: moves.unread,
    declined: [],
    isDrainOnly: moves.isDrainOnly,
    // Without a node nothing but Nova tells whether the machine is off.
    isForcedDown: false,
    decided: new Map(),
  })
  return { total: instances.length, verdict }
}

interface Known {
  readonly flavour: ClusterFlavour
  readonly nodes: readonly ClusterNode[]
  readonly services: readonly ComputeService[] | null
  readonly osds: readonly CephOsd[] | null
  readonly cephAnswers: boolean
  readonly activeRuns: readonly (ActiveNodeRun & { readonly node: string })[]
  /** The run that keeps noout for a machine, by the Lease of its CRUSH host; null if there is none; undefined if that Lease is unreadable. */
  readonly nooutRunOf: (name: string) => string | null | undefined
  readonly occupancyOf: (host: string) => HostOccupancy | null
}

/** Nova hosts without a node that get a row: only their instances are read. */
export function hostsWithRow(known: Pick<Known, 'flavour' | 'nodes' | 'services' | 'osds'>): readonly string[] {
  return hostsOutside(known).filter(host => knownOf(host, known).hasRow)
}

function hostsOutside({ nodes, services }: Pick<Known, 'nodes' | 'services'>): readonly string[] {
  const carried = new Set(nodes.flatMap(node => computeServiceOf(node, services ?? [])?.host ?? []))
  return (services ?? []).filter(({ host }) => !carried.has(host)).map(({ host }) => host)
}

/** Machines in Nova or Ceph that are not Kubernetes nodes: separate ones of Sunbeam, and former ones (seed 004, "States of the Node"). */
export function machinesOutside(known: Known): readonly NodeSummary[] {
  const hosts = hostsOutside(known)
  const buckets = crushHostsBeside(known.nodes, known.osds ?? [])
  // A machine in both has one row, under Nova's name.
  const names = [...new Set([...hosts, ...buckets.filter(bucket => !hosts.some(host => isSameMachine(host, bucket)))])]
  return names.flatMap(name => {
    const row = rowOf(name, known)
    const run = known.activeRuns.findLast(({ node }) => node === name)
    if (row === null || run === undefined) return row ?? []
    const { state, reasons } = statusUnder(run)
    return { ...row, ...statusAs(state, reasons, row.conditions), runId: run.runId }
  })
}

/** Nova's and Ceph's records of a name that is not a node. A live one has a row only on Sunbeam: other flavours ignore it. */
function knownOf(name: string, { flavour, services, osds }: Pick<Known, 'flavour' | 'services' | 'osds'>) {
  const service = matchComputeService([name], services ?? [])
  const own = osdsOfNode(osds ?? [], name)
  const isAlive = service?.state === 'up' || own.some(osd => osd.up)
  return { service, own, isAlive, hasRow: !isAlive || flavour === 'sunbeam' }
}

function rowOf(name: string, known: Known): NodeSummary | null {
  const { service, own, isAlive, hasRow } = knownOf(name, known)
  if (!hasRow) return null
  // A machine with noout kept by a run, or with nova-compute disabled for maintenance, is off for its work, and not gone.
  const isAway =
    (own.length > 0 && known.nooutRunOf(nooutSubject(name, own)) != null) ||
    isMaintenanceReason(service?.disabledReason ?? null)
  const status = isAlive || isAway ? machineStatus(name, service, own, known) : formerMachineStatus(service, own, known)
  const sources = [
    ...(service === null ? [] : [{ role: 'compute' as const, by: "Nova's compute service" }]),
    ...(own.length === 0 ? [] : [{ role: 'storage' as const, by: "Ceph's OSDs" }]),
  ]
  return {
    name,
    roles: sources.map(({ role }) => role),
    roleSources: sources,
    roleContradictions: [],
    ready: 'none',
    schedulable: null,
    ...status,
    zone: service?.zone ?? null,
    kubeletVersion: '',
    computeService:
      service === null
        ? null
        : { status: service.status, state: service.state, disabledReason: service.disabledReason },
    verdict: status.state === 'active' || service === null ? null : (known.occupancyOf(service.host)?.verdict ?? null),
    runId: null,
    migrationMode: null,
  }
}

type Status = Pick<NodeSummary, 'state' | 'stateReason' | 'stateFindings' | 'conditions'>

/** The roles of a machine outside of Kubernetes decide its state, as for a node; it has no pods. */
function machineStatus(
  name: string,
  service: ComputeService | null,
  own: readonly CephOsd[],
  { osds, cephAnswers, occupancyOf, nooutRunOf }: Known,
): Status {
  const nooutRun = own.length === 0 ? null : nooutRunOf(nooutSubject(name, own))
  // Where nova-compute shows the maintenance, noout is optional; a machine that only stores has only the note.
  const isOptional = isMaintenanceReason(service?.disabledReason ?? null) && nooutRun == null
  const leaving = service === null ? 0 : instancesLeftIn(occupancyOf(service.host)?.verdict ?? null)
  const conditions: NodeCondition[] = [
    ...(service === null
      ? []
      : [
          conditionOf(
            'compute',
            allOf([
              isDisabledAndUp(service, isMaintenanceReason(service.disabledReason)),
              isEmptied(service.host, leaving),
            ]),
          ),
        ]),
    ...(own.length === 0
      ? []
      : [
          conditionOf(
            'storage',
            allOf([
              isProtected(name, cephAnswers ? osds : null, isOptional),
              ...(isOptional ? [] : [isNoted(nooutRun)]),
            ]),
          ),
        ]),
  ]
  const troubles = [
    ...(service === null || service.status === 'enabled' ? [] : [because('NodeComputeDisabled', { detail: '' })]),
    ...(service?.state === 'down' ? [because('NodeComputeDown')] : []),
    ...osdProblems(name, own, nooutRun ?? null).map(osdProblemFinding),
  ]
  const state = nodeStateByRoles(conditions, troubles.length > 0)
  if (state === 'maintenance') return statusAs(state, [because('OutsideKubernetesEmpty', { troubles })], conditions)
  const open = state === 'active' ? [] : conditions.filter(({ holds }) => holds !== 'holds').map(conditionSaid)
  return statusAs(state, [because('OutsideKubernetes', { troubles }), ...open], conditions)
}

function statusAs(
  state: NodeSummary['state'],
  reasons: readonly Finding[],
  conditions: readonly NodeCondition[] = [],
): Status {
  return { state, stateReason: messagesOf(reasons), stateFindings: [...reasons], conditions: [...conditions] }
}

/** Notes have the name of the CRUSH host. */
function nooutSubject(name: string, own: readonly CephOsd[]): string {
  return own.find(({ host }) => host !== null)?.host ?? name
}

/** Its Lease's note decides that it is in maintenance: noout for all of Ceph may exist for other machines (decision 0031). */
function isNoted(nooutRun: string | null | undefined): ConditionReported {
  if (nooutRun === undefined) return { holds: 'unknown', code: 'NooutNoteNotRead', values: {} }
  return nooutRun === null
    ? { holds: 'does-not-hold', code: 'NooutNotNoted', values: {} }
    : { holds: 'holds', code: 'NooutNoted', values: { run: nooutRun } }
}

/** The status of a machine without running services: Nova and Ceph say whether other machines have taken over its work. */
function formerMachineStatus(
  service: ComputeService | null,
  own: readonly CephOsd[],
  { occupancyOf, osds, cephAnswers }: Known,
): Status {
  const gone = because('NoNodeAnyMore', { computeStatus: service?.status ?? null, osds: idsOf(own) })
  const occupancy = service === null ? { total: 0 } : occupancyOf(service.host)
  const left = { instances: occupancy?.total ?? 0, osds: idsOf(own.filter(osd => osd.in)) }
  if (left.instances > 0 || left.osds.length > 0) {
    return statusAs('partial', [gone, because('DutiesNotReassigned', left)])
  }
  const silent = [
    ...(occupancy === null ? ['Nova'] : []),
    ...(own.length > 0 && !(cephAnswers && osds !== null) ? ['Ceph'] : []),
  ]
  return silent.length > 0
    ? statusAs('unknown', [gone, because('DutiesNotKnown', { silent })])
    : statusAs('decommissioned', [gone, because('CountsNowhere')])
}

function idsOf(osds: readonly CephOsd[]): readonly number[] {
  return osds.map(({ id }) => id)
}
