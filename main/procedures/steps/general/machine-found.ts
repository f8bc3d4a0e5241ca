import { osdsOfNode } from '../../../../shared/domain/ceph-safety.ts'
import { cephAccessOf } from '../../../../shared/domain/cluster.ts'
import type { JujuUnit } from '../../../../shared/domain/juju.ts'
import { unitsOnNode } from '../../../../shared/domain/juju-units.ts'
import type { NodeRole } from '../../../../shared/domain/roles.ts'
import { type Fault, fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { computeServiceOf, matchComputeService } from '../compute/compute-host.ts'
import { osdsUnplanned } from '../storage/storage-node.ts'
import { MICROCEPH } from './machine-outside.ts'

/** Makes a machine a Kubernetes node; its units run nova-compute. */
const KUBERNETES = 'k8s'
const HYPERVISOR = 'openstack-hypervisor'

export function machineInput({ name, roles }: { readonly name: string; readonly roles: readonly NodeRole[] }) {
  return { node: name, computes: roles.includes('compute'), stores: roles.includes('storage') }
}

/** A plan without this input is for a compute-only machine. */
function plannedFor({ computes, stores }: StepInput) {
  return { computes: computes !== false, stores: stores === true }
}

/** A Sunbeam machine outside Kubernetes has exactly the roles that the plan has steps for (seed 004), by Nova, Juju and Ceph. Never overridable. */
export const machineFound = checkStep({
  kind: 'machine-found',
  role: 'general',
  ...stepText('machine-found'),
  withinMs: 30_000,
  check: async (input, { world, signal, at }) => {
    const name = nodeOf(input)
    const planned = plannedFor(input)
    const { cluster, kubernetes, openstack, ceph, juju } = world
    const isCephAsked = cephAccessOf(cluster) !== 'none'
    const [nodes, pods, services, osds, status] = await Promise.all([
      kubernetes.listNodes(signal),
      kubernetes.listPodsOnNode(name, signal),
      openstack?.computeServices(signal) ?? null,
      isCephAsked ? ceph.osds(signal) : null,
      isCephAsked ? (juju?.status(signal) ?? null) : null,
    ])
    if (!nodes.ok) return cannotAsk(thing('NodeList'), nodes.failure)
    if (!pods.ok) return cannotAsk(thing('PodsOnMachine', { node: name }), pods.failure)
    if (services?.ok === false) return cannotAsk(thing('ComputeServices'), services.failure)
    if (osds?.ok === false && (planned.stores || osds.failure.code !== 'not-found'))
      return cannotAsk(thing('OsdsOnMachine', { node: name }), osds.failure)
    if (status?.ok === false) return cannotAsk(thing('UnitsOnMachine', { node: name }), status.failure)
    const service = matchComputeService([name], services?.value ?? [])
    const own = osds?.ok ? osdsOfNode(osds.value, name) : []
    const units = status === null ? [] : unitsOnNode(status.value.units, name)
    const unit = units.find(({ application }) => application === MICROCEPH) ?? null
    // A node and its nova-compute may have different names, one an FQDN: then the machine is the node.
    const node = nodes.value.find(
      each => each.name === name || computeServiceOf(each, services?.value ?? [])?.host === name,
    )
    const other = [...own.map(({ host }) => host), unit?.hostname].find(each => each != null && each !== name)
    const blockers = [
      ...(node === undefined
        ? standsAlone(name, units, pods.value.length).map(why => blocker(why))
        : [blocker(fault('MachineIsNode', { machine: name, node: node.name }))]),
      ...(node === undefined && service === null && unit === null && own.length === 0
        ? [blocker(fault('MachineUnknown', { machine: name }))]
        : []),
      ...(planned.computes && service?.host !== name && (service !== null || own.length > 0 || unit !== null)
        ? [blocker(fault('MachineWithoutCompute', { machine: name, other: service?.host ?? null }))]
        : []),
      ...(planned.computes ? [] : hasCompute(name, service?.host ?? null, units).map(why => blocker(why))),
      ...(own.length > 0 && unit === null
        ? [blocker(fault('OsdsWithoutUnit', { machine: name, osds: own.map(({ id }) => id) }))]
        : []),
      ...(planned.stores && service !== null && own.length === 0 && unit === null
        ? [blocker(fault('MachineStoresNothing', { machine: name }))]
        : []),
      ...(other != null && (planned.stores || own.length > 0)
        ? [blocker(fault('MachineNamedApart', { machine: name, other }))]
        : []),
      ...(other == null && own.length > 0 && unit !== null && !planned.stores ? [osdsUnplanned(name, own)] : []),
    ]
    return readyUnless(blockers, found('MachineRunsNoPods', planned), {
      evidence: [
        evidence(`machine ${name}`, at(), {
          novaCompute: service?.id ?? null,
          nodes: nodes.value.length,
          pods: pods.value.length,
          osds: osds?.ok ? own.map(({ id }) => id) : null,
          units: status === null ? null : units.map(each => each.name),
        }),
      ],
    })
  },
})

/** Signs that Kubernetes uses the machine, although it lists no such node. */
function standsAlone(machine: string, units: readonly JujuUnit[], pods: number): readonly Fault[] {
  const kubelets = units.filter(({ application }) => application === KUBERNETES).map(unit => unit.name)
  return [
    ...(pods > 0 ? [fault('MachineRunsPods', { machine, pods })] : []),
    ...(kubelets.length > 0 ? [fault('MachineRunsKubernetes', { machine, units: kubelets })] : []),
  ]
}

/** A plan without compute steps would leave instances there and let Nova add more. */
function hasCompute(machine: string, host: string | null, units: readonly JujuUnit[]): readonly Fault[] {
  if (host !== null) return [fault('ComputeNotPlanned', { machine, host })]
  const hypervisors = units.filter(({ application }) => application === HYPERVISOR).map(unit => unit.name)
  return hypervisors.length === 0 ? [] : [fault('HypervisorNotInNova', { machine, units: hypervisors })]
}
