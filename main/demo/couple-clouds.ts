import type { Clock } from '../clock/clock.ts'
import type { KubernetesSimulator } from './kubernetes/kubernetes-simulator.ts'
import { textAt } from './kubernetes/store/json.ts'
import type { StoredObject } from './kubernetes/store/kubernetes-object.ts'
import { loseGuests } from './openstack/host-reboot.ts'
import type { OpenStackSimulator } from './openstack/openstack-simulator.ts'
import { NETWORK_AGENT, NOVA_COMPUTE, OPENSTACK_NAMESPACE } from './scenarios/scenario-objects.ts'

/** How often the Kubernetes side is looked at. */
const LOOK_MS = 200

/**
 * Makes the OpenStack side follow the Kubernetes side, as it does where OpenStack runs in pods: nova-compute of a host reports
 * while its node is ready and, where a DaemonSet runs it, its pod is; so do the network agents; a reboot takes the guests with it. Ends when
 * `signal` aborts.
 */
export async function coupleClouds(
  clock: Clock,
  kubernetes: Pick<KubernetesSimulator, 'objects'>,
  openstack: Pick<OpenStackSimulator, 'state' | 'faults'>,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Map<string, boolean>()
  const sets = new Set(kubernetes.objects.list('DaemonSet', OPENSTACK_NAMESPACE).map(set => set.metadata.name))
  // Those whose compute service is deleted register again with their nova-compute.
  const hosts = [...openstack.state.hosts.keys()]
  const boots = new Map<string, string>()
  let revision = -1
  while (!signal.aborted) {
    if (kubernetes.objects.revision() !== revision) {
      revision = kubernetes.objects.revision()
      loseGuestsOfRebooted(kubernetes, openstack, boots)
      follow(kubernetes, openstack, { seen, sets, hosts })
    }
    await clock.sleep(LOOK_MS, signal)
  }
}

/** A node with another boot id was rebooted: what ran on it is off. */
function loseGuestsOfRebooted(
  kubernetes: Pick<KubernetesSimulator, 'objects'>,
  openstack: Pick<OpenStackSimulator, 'state' | 'faults'>,
  boots: Map<string, string>,
): void {
  for (const node of kubernetes.objects.list('Node')) {
    const { name } = node.metadata
    const boot = textAt(node, 'status', 'nodeInfo', 'bootID') ?? ''
    const before = boots.get(name)
    boots.set(name, boot)
    if (before !== undefined && before !== boot) loseGuests(openstack.state, name)
  }
}

/** Only what changed is passed on, so that a service that a test silenced by hand stays silent. */
function follow(
  kubernetes: Pick<KubernetesSimulator, 'objects'>,
  openstack: Pick<OpenStackSimulator, 'state' | 'faults'>,
  {
    seen,
    sets,
    hosts,
  }: { readonly seen: Map<string, boolean>; readonly sets: ReadonlySet<string>; readonly hosts: readonly string[] },
): void {
  const nodes = kubernetes.objects.list('Node')
  const ready = new Set(nodes.filter(isReady).map(node => node.metadata.name))
  const named = new Set(nodes.map(node => node.metadata.name))
  const pods = kubernetes.objects.list('Pod', OPENSTACK_NAMESPACE).filter(isReady)
  // A snap on the machine goes on when Kubernetes forgets its node; a pod does not.
  const runsOn = (daemonSet: string, host: string) =>
    sets.has(daemonSet)
      ? ready.has(host) && pods.some(pod => nodeOf(pod) === host && ownerOf(pod) === daemonSet)
      : ready.has(host) || !named.has(host)
  const pass = (key: string, now: boolean, tell: (now: boolean) => void) => {
    if ((seen.get(key) ?? true) === now) return
    seen.set(key, now)
    tell(now)
  }
  for (const host of hosts) {
    pass(`compute ${host}`, runsOn(NOVA_COMPUTE, host), up => openstack.faults.setComputeUp(host, up))
  }
  for (const host of new Set(openstack.state.agents.map(agent => agent.host))) {
    pass(`agents ${host}`, runsOn(NETWORK_AGENT, host), alive => openstack.faults.setAgentsAlive(host, alive))
  }
}

/** Condition Ready is True and deletion was not asked for. */
function isReady(object: StoredObject): boolean {
  const { status } = object as { status?: { conditions?: readonly { type?: string; status?: string }[] } }
  const condition = status?.conditions?.find(each => each.type === 'Ready')
  return condition?.status === 'True' && object.metadata.deletionTimestamp === undefined
}

function nodeOf(pod: StoredObject): string | undefined {
  return (pod as { spec?: { nodeName?: string } }).spec?.nodeName
}

function ownerOf(pod: StoredObject): string | undefined {
  return pod.metadata.ownerReferences?.find(owner => owner.kind === 'DaemonSet')?.name
}
