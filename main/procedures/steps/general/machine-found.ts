import { osdsOfNode } from '../../../../shared/domain/ceph-safety.ts'
import { cephAccessOf } from '../../../../shared/domain/cluster.ts'
import type { JujuUnit } from '../../../../shared/domain/juju.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import type { NodeRole } from '../../../../shared/domain/roles.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { computeServiceOf, matchComputeService } from '../compute/compute-host.ts'
import { osdNames, osdsUnplanned } from '../storage/storage-node.ts'
import { unitsOnNode } from './juju-units.ts'
import { MICROCEPH } from './machine-outside.ts'

/** The application that makes a machine a node of Kubernetes, and the one whose units run nova-compute. */
const KUBERNETES = 'k8s'
const HYPERVISOR = 'openstack-hypervisor'

/** What machine-found is told of a plan: the machine, and which of its roles the plan has steps for. */
export function machineInput({ name, roles }: { readonly name: string; readonly roles: readonly NodeRole[] }) {
  return { node: name, computes: roles.includes('compute'), stores: roles.includes('storage') }
}

/** A plan that says nothing of it is one of a compute-only machine. */
function plannedFor({ computes, stores }: StepInput) {
  return { computes: computes !== false, stores: stores === true }
}

/**
 * The machine is one outside of Kubernetes, and does what the plan has steps for: Kubernetes has neither a node nor a pod there, Nova's nova-compute of
 * exactly this name is that of no node under another name, and Ceph's OSDs are under a CRUSH host of exactly this name, where Juju has a microceph
 * unit. Sunbeam's compute-only and storage-only machines are such (seed 004, roles). Never overridable.
 */
export const machineFound = checkStep({
  kind: 'machine-found',
  role: 'general',
  why: 'A machine outside of Kubernetes is not cordoned and not drained; what else it does has to be known before.',
  title: input => `${nodeOf(input)} is a ${rolesWord(plannedFor(input))} machine outside of Kubernetes`,
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
    if (!nodes.ok) return cannotAsk('The list of nodes', nodes.failure)
    if (!pods.ok) return cannotAsk(`Whether pods run on ${name}`, pods.failure)
    if (services?.ok === false) return cannotAsk('The compute services', services.failure)
    if (osds?.ok === false && (planned.stores || osds.failure.code !== 'not-found'))
      return cannotAsk(`Whether ${name} has OSDs`, osds.failure)
    if (status?.ok === false) return cannotAsk(`What Juju has on ${name}`, status.failure)
    const service = matchComputeService([name], services?.value ?? [])
    const own = osds?.ok ? osdsOfNode(osds.value, name) : []
    const units = status === null ? [] : unitsOnNode(status.value, name)
    const unit = units.find(({ application }) => application === MICROCEPH) ?? null
    // A node and its nova-compute may be named differently, one by its FQDN: the machine is the node all the same.
    const node = nodes.value.find(
      each => each.name === name || computeServiceOf(each, services?.value ?? [])?.host === name,
    )
    const other = [...own.map(({ host }) => host), unit?.hostname].find(each => each != null && each !== name)
    const blockers: readonly Blocker[] = [
      ...(node === undefined ? standsAlone(name, units, pods.value.length) : [isNode(name, node.name)]),
      ...(node === undefined && service === null && unit === null && own.length === 0 ? [noMachine(name)] : []),
      ...(planned.computes && service?.host !== name && (service !== null || own.length > 0 || unit !== null)
        ? [noService(name, service?.host ?? null)]
        : []),
      ...(planned.computes ? [] : hasCompute(name, service?.host ?? null, units)),
      ...(own.length > 0 && unit === null ? [noUnit(name, osdNames(own))] : []),
      ...(planned.stores && service !== null && own.length === 0 && unit === null ? [noStorage(name)] : []),
      ...(other != null && (planned.stores || own.length > 0) ? [namedApart(name, other)] : []),
      ...(other == null && own.length > 0 && unit !== null && !planned.stores ? [osdsUnplanned(name, own)] : []),
    ]
    return readyUnless(blockers, `${knowersWord(planned)} on it. It runs no pods: nothing is cordoned or drained.`, {
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

type Planned = ReturnType<typeof plannedFor>

function rolesWord({ computes, stores }: Planned): string {
  if (computes && stores) return 'compute and storage'
  return stores ? 'storage-only' : 'compute-only'
}

function knowersWord({ computes, stores }: Planned): string {
  if (computes && stores) return 'Only Nova and Ceph have something'
  return `Only ${stores ? 'Ceph' : 'Nova'} has something`
}

const never = (why: string) => ({ kind: 'never', why }) as const

function isNode(name: string, node: string): Blocker {
  const isSame = name === node
  return {
    code: 'machine-is-node',
    message: isSame
      ? `${name} is a node of Kubernetes by now.`
      : `${name} is how Nova names the node ${node} of Kubernetes.`,
    remedy: isSame
      ? 'Make the plan again: a node is cordoned and drained too.'
      : `Make the plan for ${node}: a node is cordoned and drained too.`,
    override: never('its pods would go down with it'),
  }
}

/** What speaks against Kubernetes having nothing there, though its list has no such node. */
function standsAlone(name: string, units: readonly JujuUnit[], pods: number): readonly Blocker[] {
  const kubelets = units.filter(({ application }) => application === KUBERNETES).map(unit => unit.name)
  return [
    ...(pods > 0
      ? [runsKubernetes('machine-runs-pods', name, `Kubernetes lists ${counted(pods, 'pod')} on ${name}`)]
      : []),
    ...(kubelets.length > 0
      ? [runsKubernetes('machine-runs-kubernetes', name, `Juju has ${someOf(kubelets)} on ${name}`)]
      : []),
  ]
}

function runsKubernetes(code: string, name: string, what: string): Blocker {
  return {
    code,
    message: `${what}, and Kubernetes lists no node of that name.`,
    remedy: `Look with \`kubectl get nodes\` and \`kubectl get pods -A --field-selector spec.nodeName=${name}\`: is the list of nodes whole?`,
    override: never('its pods would go down with it'),
  }
}

function noMachine(name: string): Blocker {
  return {
    code: 'node-unknown',
    message: `Kubernetes has no node named ${name}, Nova no nova-compute, and Ceph no OSD.`,
    remedy: 'Look at its name with `openstack compute service list` and `ceph osd tree`.',
    override: never('there is nothing to act on'),
  }
}

function noService(name: string, other: string | null): Blocker {
  return {
    code: 'compute-service-missing',
    message: `Nova has no nova-compute named ${name}${other === null ? '' : `; it has ${other}`}.`,
    remedy: other === null ? 'Make a new plan: it has no steps for instances.' : `Make the plan for ${other}.`,
    override: never('which instances run there cannot be known'),
  }
}

/** A plan without compute steps would leave instances where they are, and Nova free to send more. */
function hasCompute(name: string, host: string | null, units: readonly JujuUnit[]): readonly Blocker[] {
  const hypervisors = units.filter(({ application }) => application === HYPERVISOR).map(unit => unit.name)
  if (host === null && hypervisors.length === 0) return []
  return [
    {
      code: 'compute-unplanned',
      message:
        host === null
          ? `Juju has ${someOf(hypervisors)} on ${name}, and Nova lists no nova-compute there.`
          : `Nova has the nova-compute ${host} on ${name}, and this plan has no steps for it.`,
      remedy:
        host === null
          ? 'Look with `openstack compute service list` and `juju status`: which of them is right?'
          : `Make a new plan for ${host}: it has the steps of a compute node too.`,
      override: never('instances may run there, and nothing in this plan moves them'),
    },
  ]
}

function noUnit(name: string, osds: string): Blocker {
  return {
    code: 'node-outside',
    message: `Ceph has ${osds} on ${name}, a machine outside of Kubernetes, and Juju no microceph unit there.`,
    remedy: `Look with \`juju status\`. Without the unit nothing here acts on its OSDs: use \`sunbeam cluster maintenance\` for ${name}.`,
    override: never('nothing would keep its OSDs in'),
  }
}

function noStorage(name: string): Blocker {
  return {
    code: 'machine-stores-nothing',
    message: `Juju has no microceph unit on ${name}, and Ceph no OSD.`,
    remedy: 'Make a new plan, after a look with `juju status` and `ceph osd tree`.',
    override: never('there is nothing to act on'),
  }
}

function namedApart(name: string, other: string): Blocker {
  return {
    code: 'machine-named-apart',
    message: `${name} is ${other} to Juju or Ceph.`,
    remedy: `Notes about noout are kept and looked for under its CRUSH host. Give all the same name, or use \`sunbeam cluster maintenance\` for ${name}.`,
    override: never("another node's return could lift its noout"),
  }
}
