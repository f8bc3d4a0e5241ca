import type { Clock } from '../../platform/clock/clock.ts'
import type { KubernetesSimulator } from './kubernetes/kubernetes-simulator.ts'
import { isServing } from './kubernetes/simulated-objects.ts'
import { textAt } from './kubernetes/store/json.ts'
import type { StoredObject } from './kubernetes/store/kubernetes-object.ts'
import type { Stored } from './kubernetes/store/models.ts'
import type { Cloud, Server } from './openstack/cloud.ts'
import type { OpenStackSimulator } from './openstack/openstack-simulator.ts'
import { NETWORK_AGENT, NOVA_COMPUTE, OPENSTACK_NAMESPACE } from './scenarios/scenario-objects.ts'

const LOOK_MS = 200

type KubernetesSide = Pick<KubernetesSimulator, 'objects' | 'silentNodes'>
type OpenStackSide = Pick<OpenStackSimulator, 'state' | 'faults' | 'timings'>

/** Makes OpenStack follow Kubernetes until `signal` aborts: nova-compute and network agents report while their node and pod are ready; a reboot stops the guests. */
export async function coupleClouds(
  clock: Clock,
  kubernetes: KubernetesSide,
  openstack: OpenStackSide,
  signal: AbortSignal,
): Promise<void> {
  const follow = createFollower(clock, kubernetes, openstack)
  let seen = ''
  while (!signal.aborted) {
    const now = JSON.stringify([kubernetes.objects.revision(), [...kubernetes.silentNodes]])
    if (now !== seen) {
      seen = now
      follow.look()
    }
    follow.act()
    await clock.sleep(LOOK_MS, signal)
  }
}

/** Makes the two halves of the loop: `look` reads changes of Kubernetes, `act` applies the passing of time. */
function createFollower(clock: Clock, kubernetes: KubernetesSide, openstack: OpenStackSide) {
  const { state, faults, timings } = openstack
  const sets = new Set(kubernetes.objects.list('DaemonSet', OPENSTACK_NAMESPACE).map(set => set.metadata.name))
  // A host whose compute service was deleted registers again with its nova-compute.
  const hosts = [...state.hosts.keys()]
  const boots = new Map<string, string>()
  const lost = new Map<string, readonly string[]>()
  const running = new Map<string, boolean>()
  const starting = new Map<string, number>()
  const syncing = new Map<string, number>()

  /** A node with another boot id was rebooted: its guests are off, and Nova does not know it yet. */
  function noteReboots(): void {
    for (const node of kubernetes.objects.list('Node')) {
      const { name } = node.metadata
      const boot = textAt(node, 'status', 'nodeInfo', 'bootID') ?? ''
      const before = boots.get(name)
      boots.set(name, boot)
      if (before === undefined || before === boot) continue
      lost.set(name, guestsOn(state, name))
      if (running.get(`compute ${name}`) ?? true) syncing.set(name, clock.now() + timings.powerSyncMs)
    }
  }

  /** Passes on changes only, so a service that a test silenced stays silent. */
  function pass(key: string, now: boolean, silence: (since: number) => void): void {
    if ((running.get(key) ?? true) === now) return
    running.set(key, now)
    if (now) starting.set(key, clock.now() + timings.serviceStartMs)
    else {
      starting.delete(key)
      silence(kubernetes.silentNodes.get(key.slice(key.indexOf(' ') + 1)) ?? clock.now())
    }
  }

  function look(): void {
    noteReboots()
    const nodes = kubernetes.objects.list('Node')
    const named = new Set(nodes.map(node => node.metadata.name))
    const { silentNodes } = kubernetes
    const ready = new Set([...named].filter(name => !silentNodes.has(name)))
    for (const node of nodes) if (!isServing(node)) ready.delete(node.metadata.name)
    const pods = kubernetes.objects.list('Pod', OPENSTACK_NAMESPACE).filter(isServing)
    // A snap keeps running when the Node object is deleted; a pod does not.
    const runsOn = (daemonSet: string, host: string) =>
      sets.has(daemonSet)
        ? ready.has(host) && pods.some(pod => nodeOf(pod) === host && ownerOf(pod) === daemonSet)
        : ready.has(host) || !named.has(host)
    for (const host of hosts) {
      pass(`compute ${host}`, runsOn(NOVA_COMPUTE, host), since => faults.silenceCompute(host, since))
    }
    for (const host of new Set([...state.agents, ...state.forgottenAgents].map(agent => agent.host))) {
      pass(`agents ${host}`, runsOn(NETWORK_AGENT, host), since => faults.silenceAgents(host, since))
    }
  }

  function act(): void {
    const now = clock.now()
    for (const [key, at] of starting) {
      if (now < at) continue
      starting.delete(key)
      const [kind, host = ''] = key.split(' ')
      if (kind === 'agents') faults.setAgentsAlive(host, true)
      else {
        faults.setComputeUp(host, true)
        if (lost.has(host)) syncing.set(host, now + timings.powerSyncMs)
      }
    }
    for (const [host, at] of syncing) {
      if (now < at) continue
      syncing.delete(host)
      noticeLostGuests(state, host, lost.get(host) ?? [])
      lost.delete(host)
    }
  }

  return { look, act }
}

function nodeOf(pod: Stored<'Pod'>): string | undefined {
  return textAt(pod, 'spec', 'nodeName')
}

function ownerOf(pod: StoredObject): string | undefined {
  return pod.metadata.ownerReferences?.find(owner => owner.kind === 'DaemonSet')?.name
}

/** Power states of guests that are lost with their host: running, paused and unknown. */
const LOST_WITH_HOST = [0, 1, 3]
const SHUTDOWN = 4

/** Lists the instances that stop with a host now; Nova does not know it yet. */
function guestsOn(cloud: Cloud, host: string): readonly string[] {
  return [...cloud.servers.values()].filter(server => runsOn(server, host)).map(({ id }) => id)
}

/** Nova compares power states when nova-compute runs again (nova.conf resume_guests_state_on_host_boot false): the lost guests are off, so it stops them. */
function noticeLostGuests(cloud: Cloud, host: string, lost: readonly string[]): void {
  for (const id of lost) {
    const server = cloud.servers.get(id)
    if (server === undefined || !runsOn(server, host)) continue
    server.powerState = SHUTDOWN
    if (server.vmState !== 'error') server.vmState = 'stopped'
    server.taskState = null
    server.updatedAt = cloud.clock.now()
  }
}

function runsOn(server: Server, host: string): boolean {
  return server.host === host && LOST_WITH_HOST.includes(server.powerState)
}
