import { nodeLease } from '../../../shared/domain/lease-name.ts'
import { ok } from '../../../shared/domain/result.ts'
import type { DrainReads, KubernetesPort } from '../../ports/kubernetes.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import { PORT_ACCESS, type PortAccess } from '../../ports/port-access.ts'
import type { WatcherPort } from '../../ports/watcher.ts'
import type { MaintenanceWorld } from '../../ports/world.ts'
import { type Clock, isoNow } from '../clock/clock.ts'
import { questionKey } from './question-key.ts'

/** So long a fact serves: a pass of checks over hundreds of nodes lasts longer, and what it judges by is not to be old. */
const SERVES_MS = 30_000

/** The clouds of a cluster as one pass of checks sees them. */
interface ClusterReading {
  /** ISO time at which it began: nothing that is read through it is older. */
  readonly at: string
  readonly world: MaintenanceWorld
}

/**
 * One reading of a cluster, for a pass of checks: each fact of the clouds is asked for once, whoever asks, so that all checks of the pass judge the
 * same moment and a plan costs its servers little. Whatever may act goes through as it is. An apply or a verify takes no reading: both look at the
 * world afresh (style G18, G19).
 */
export function readCluster(world: MaintenanceWorld, clock: Clock, signal?: AbortSignal): ClusterReading {
  // A reading of a reading is that reading: else facts would be told as of a later time than they are.
  const known = READINGS.get(world)
  if (known !== undefined) return known
  const kept = createKept(clock, signal)
  const { openstack, watcher, juju, microceph, osds, prometheus } = world
  const reading: ClusterReading = {
    at: isoNow(clock),
    world: {
      ...world,
      kubernetes: keptKubernetes(world.kubernetes, kept),
      maintenanceApi: keptPort('maintenanceApi', world.maintenanceApi, PORT_ACCESS.maintenanceApi, kept),
      ceph: keptPort('ceph', world.ceph, PORT_ACCESS.ceph, kept),
      openstack: openstack === null ? null : keptOpenStack(openstack, kept),
      watcher: watcher === null ? null : keptWatcher(watcher, kept),
      juju: juju === null ? null : keptPort('juju', juju, PORT_ACCESS.juju, kept),
      microceph: microceph === null ? null : keptPort('microceph', microceph, PORT_ACCESS.microceph, kept),
      osds: osds === null ? null : keptPort('osds', osds, PORT_ACCESS.osds, kept),
      prometheus: prometheus === null ? null : keptPort('prometheus', prometheus, PORT_ACCESS.prometheus, kept),
      versions: () => kept(['versions'], within => world.versions(within)),
      clocks: () => kept(['clocks'], within => world.clocks(within)),
      apiServerClock: () => kept(['apiServerClock'], within => world.apiServerClock(within)),
    },
  }
  READINGS.set(reading.world, reading)
  return reading
}

/** The readings of worlds that are themselves one. */
const READINGS = new WeakMap<MaintenanceWorld, ClusterReading>()

/** The facts of a reading, by what they are called. */
interface Kept {
  /** Asks once for what is named so; `ask` is given the signal of the whole reading, as no one asker may call off what others wait for. */
  <T>(name: readonly unknown[], ask: (within: AbortSignal | undefined) => Promise<T>): Promise<T>
  /** Whether it was asked for: it costs nothing more then. */
  knows(name: readonly unknown[]): boolean
  /** Keeps what was told with something else. */
  put(name: readonly unknown[], answer: unknown): void
}

function createKept(clock: Clock, signal: AbortSignal | undefined): Kept {
  const facts = new Map<string, { readonly askedAtMs: number; readonly answer: Promise<unknown> }>()
  const fresh = (name: readonly unknown[]) => {
    const known = facts.get(questionKey(name))
    return known !== undefined && clock.now() - known.askedAtMs < SERVES_MS ? known.answer : null
  }
  const keep = (name: readonly unknown[], answer: Promise<unknown>) =>
    facts.set(questionKey(name), { askedAtMs: clock.now(), answer })
  const kept = <T>(name: readonly unknown[], ask: (within: AbortSignal | undefined) => Promise<T>) => {
    const known = fresh(name)
    if (known !== null) return known as Promise<T>
    const answer = ask(signal)
    keep(name, answer)
    return answer
  }
  return Object.assign(kept, {
    knows: (name: readonly unknown[]) => fresh(name) !== null,
    put: (name: readonly unknown[], answer: unknown) => void keep(name, Promise.resolve(answer)),
  })
}

/**
 * Kubernetes, where a list that was asked for tells also of what is in it. That a node is not there is asked by itself. So are the
 * pods of a node: their list and that of all pods prove each other (decision 0025), and of one list made into two neither would.
 */
function keptKubernetes(port: KubernetesPort, kept: Kept): KubernetesPort {
  const own = keptPort('kubernetes', port, PORT_ACCESS.kubernetes, kept)
  const allLeases = () => kept(['leases', 'all'], signal => port.leases.all(signal))
  const reads: DrainReads = {
    ...own,
    getNode: async (name, signal) => {
      const all = kept.knows(['kubernetes', 'listNodes']) ? await own.listNodes(signal) : null
      const node = all?.ok ? all.value.find(each => each.name === name) : undefined
      return node === undefined ? own.getNode(name, signal) : ok(node)
    },
  }
  return {
    ...own,
    getNode: reads.getNode,
    listPods: async (namespace, signal) => {
      const isKnown = namespace !== null && kept.knows(['kubernetes', 'listPods', null])
      const all = isKnown ? await own.listPods(null, signal) : null
      // Some pod runs in any cluster, so a list of none is not the whole.
      return all?.ok && all.value.length > 0
        ? ok(all.value.filter(pod => pod.namespace === namespace))
        : own.listPods(namespace, signal)
    },
    planDrain: (node, options, { dryRun }) =>
      kept(['kubernetes', 'planDrain', node, options, dryRun], signal =>
        port.planDrain(node, options, { dryRun, reads, ...(signal === undefined ? {} : { signal }) }),
      ),
    // One list of Leases answers for all of them; where it is not to be had each is asked for by itself.
    isLeaseFree: async (node, signal) => {
      const all = await allLeases()
      return all.ok ? ok(all.value.get(nodeLease(node))?.held !== true) : own.isLeaseFree(node, signal)
    },
    getLeaseAnnotations: async (node, signal) => {
      const all = await allLeases()
      return all.ok ? ok(all.value.get(nodeLease(node))?.annotations ?? {}) : own.getLeaseAnnotations(node, signal)
    },
    // Only looks again and again tell whether a holder lives, so no reading keeps that.
    leases: { ...port.leases, all: allLeases },
  }
}

function keptOpenStack(port: OpenStackPort, kept: Kept): OpenStackPort {
  const own = keptPort('openstack', port, PORT_ACCESS.openstack, kept)
  return {
    ...own,
    instancesOnHost: host =>
      kept(['openstack', 'instancesOnHost', host], signal => port.instancesOnHost(host, signal, own)),
    resourceProviders: () => kept(['openstack', 'resourceProviders'], signal => port.resourceProviders(signal, own)),
    candidateHosts: needs =>
      kept(['openstack', 'candidateHosts', needs], signal => port.candidateHosts(needs, signal, own)),
    consumersOn: names => kept(['openstack', 'consumersOn', names], signal => port.consumersOn(names, signal, own)),
  }
}

/** Watcher, where the plan that it recommended in this reading is not asked for again. */
function keptWatcher(port: WatcherPort, kept: Kept): WatcherPort {
  return {
    ...keptPort('watcher', port, PORT_ACCESS.watcher, kept),
    recommend: async (request, signal) => {
      const made = await port.recommend(request, signal)
      if (made.ok) kept.put(['watcher', 'plan', made.value.uuid], made)
      return made
    },
  }
}

type Call = (...given: unknown[]) => Promise<unknown>

/** A port whose reads are asked for once; all other calls are its own. */
function keptPort<Port extends object>(name: string, port: Port, effects: PortAccess<Port>, kept: Kept): Port {
  const calls: Partial<Record<keyof Port, unknown>> = {}
  for (const call of Object.keys(effects) as (keyof Port & string)[]) {
    const own = port[call]
    calls[call] =
      effects[call] === 'reads'
        ? (...given: unknown[]) =>
            kept([name, call, ...given], within =>
              (own as Call).apply(
                port,
                given.map(each => withSignal(each, within)),
              ),
            )
        : own
  }
  return calls as Port
}

/** What was given, called off with the whole reading alone. */
function withSignal(given: unknown, within: AbortSignal | undefined): unknown {
  if (given instanceof AbortSignal) return within
  return isSignalled(given) ? { ...given, signal: within } : given
}

function isSignalled(given: unknown): given is { readonly signal: unknown } {
  return typeof given === 'object' && given !== null && 'signal' in given
}
