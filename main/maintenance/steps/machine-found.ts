import { osdsOfNode } from '../../../shared/domain/ceph-safety.ts'
import { cephAccessOf } from '../../../shared/domain/cluster.ts'
import type { Blocker } from '../../../shared/domain/plan.ts'
import type { MaintenanceWorld } from '../../ports/world.ts'
import type { Step } from '../../runs/engine/step.ts'
import { cannotAsk, count, evidence, readyUnless, some } from '../answers.ts'
import { computeServiceOf } from '../compute-host.ts'
import { nodeOf } from '../node-input.ts'

/**
 * The machine is one outside of Kubernetes: Nova has its nova-compute, which is that of no node under another name, Kubernetes has neither a node
 * nor a pod there, and Ceph has no OSD on it. Sunbeam's compute-only machines are such (seed 004, roles). Never overridable.
 */
export const machineFound: Step<MaintenanceWorld> = {
  kind: 'machine-found',
  role: 'general',
  risk: 'none',
  why: 'A machine outside of Kubernetes is not cordoned and not drained; what else it does has to be known before.',
  title: input => `${nodeOf(input)} is a compute-only machine outside of Kubernetes`,
  verifyEarly: false,
  withinMs: 30_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
  check: async (input, { world, signal, at }) => {
    const name = nodeOf(input)
    const { cluster, kubernetes, openstack, ceph } = world
    const stores = cephAccessOf(cluster) === 'none' ? null : ceph.osds(signal)
    const [nodes, pods, services, osds] = await Promise.all([
      kubernetes.listNodes(signal),
      kubernetes.listPodsOnNode(name, signal),
      openstack?.computeServices(signal) ?? null,
      stores,
    ])
    if (!nodes.ok) return cannotAsk('The list of nodes', nodes.failure)
    if (!pods.ok) return cannotAsk(`Whether pods run on ${name}`, pods.failure)
    if (services?.ok === false) return cannotAsk('The compute services', services.failure)
    if (osds?.ok === false && osds.failure.code !== 'not-found')
      return cannotAsk(`Whether ${name} has OSDs`, osds.failure)
    const service = services?.value.find(({ host }) => host === name)
    const own = osds?.ok ? osdsOfNode(osds.value, name) : []
    // A node and its nova-compute may be named differently, one by its FQDN: the machine is the node all the same.
    const node = nodes.value.find(
      each => each.name === name || computeServiceOf(each, services?.value ?? [])?.host === name,
    )
    const blockers: readonly Blocker[] = [
      ...(node === undefined ? [] : [isNode(name, node.name)]),
      ...(node === undefined && pods.value.length > 0 ? [hasPods(name, pods.value.length)] : []),
      ...(node === undefined && service === undefined ? [noMachine(name)] : []),
      ...(own.length === 0
        ? []
        : [
            hasOsds(
              name,
              own.map(({ id }) => id),
            ),
          ]),
    ]
    return readyUnless(blockers, 'Only Nova has something on it. It runs no pods: nothing is cordoned or drained.', {
      evidence: [
        evidence(`machine ${name}`, at(), {
          novaCompute: service?.id ?? null,
          nodes: nodes.value.length,
          pods: pods.value.length,
          osds: osds?.ok ? own.map(({ id }) => id) : null,
        }),
      ],
    })
  },
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

function hasPods(name: string, pods: number): Blocker {
  return {
    code: 'machine-runs-pods',
    message: `Kubernetes lists ${count(pods, 'pod')} on ${name}, and no node of that name.`,
    remedy: `Look with \`kubectl get nodes\` and \`kubectl get pods -A --field-selector spec.nodeName=${name}\`: is the list of nodes whole?`,
    override: never('its pods would go down with it'),
  }
}

function noMachine(name: string): Blocker {
  return {
    code: 'node-unknown',
    message: `Kubernetes has no node named ${name}, and Nova no nova-compute.`,
    remedy: 'Look at its name with `openstack compute service list`.',
    override: never('there is nothing to act on'),
  }
}

function hasOsds(name: string, ids: readonly number[]): Blocker {
  return {
    code: 'node-outside',
    message: `Ceph has OSD ${some(ids.map(String))} on ${name}, a machine outside of Kubernetes.`,
    remedy: `Lockkeeper notes on a node of Kubernetes that it needs noout, and this machine is none: another node's return would lift it. Use \`sunbeam cluster maintenance\` for ${name}.`,
    override: never('nothing would keep noout for its OSDs'),
  }
}
