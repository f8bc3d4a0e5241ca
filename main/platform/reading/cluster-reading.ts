import { nodeLease } from '../../../shared/domain/lease-name.ts'
import { ok } from '../../../shared/domain/result.ts'
import type { DrainReads, KubernetesPort } from '../../ports/kubernetes.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import { PORT_ACCESS, type PortAccess } from '../../ports/port-access.ts'
import type { WatcherPort } from '../../ports/watcher.ts'
import type { MaintenanceWorld } from '../../ports/world.ts'
import { type Clock, isoNow } from '../clock/clock.ts'

/** How long a fact may be reused: checks of hundreds of nodes take longer, and must not use old facts. */
const SERVES_MS = 30_000

/** The clouds of a cluster, as one pass of checks reads them. */
interface ClusterReading {
  /** ISO time of its start: nothing read through it is older. */
  readonly at: string
  readonly world: MaintenanceWorld
}

/**
 * A reading of a cluster for one pass of checks: reads each fact only once, so that all checks use the same moment and a plan sends few
 * requests. Calls that may act are passed on unchanged. Apply and verify take no reading: both read the world again (style G18, G19).
 */
export function readCluster(world: MaintenanceWorld, clock: Clock, signal?: AbortSignal): ClusterReading {
  // Reading a reading returns it: otherwise facts would seem newer than they are.
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

/** The worlds that are readings. */
const READINGS = new WeakMap<MaintenanceWorld, ClusterReading>()

/** The facts of a reading, by name. */
interface Kept {
  /** Asks once per name. `ask` gets the signal of the whole reading, because no single caller may cancel what others wait for. */
  <T>(name: readonly unknown[], ask: (within: AbortSignal | undefined) => Promise<T>): Promise<T>
  /** Whether the fact is known, so that reading it costs nothing. */
  knows(name: readonly unknown[]): boolean
  /** Stores a fact that came with another answer. */
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

/** Kubernetes, where a known list also answers for its items. Lockkeeper reads a node that the list lacks separately. So are the pods of one node: their list and that of all pods prove each other (decision 0025), which two copies of one list would not. */
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
      // Every cluster has pods, so an empty list is incomplete.
      return all?.ok && all.value.length > 0
        ? ok(all.value.filter(pod => pod.namespace === namespace))
        : own.listPods(namespace, signal)
    },
    planDrain: (node, options, { dryRun }) =>
      kept(['kubernetes', 'planDrain', node, options, dryRun], signal =>
        port.planDrain(node, options, { dryRun, reads, ...(signal === undefined ? {} : { signal }) }),
      ),
    // One list of Leases answers for all; if it is unavailable, each Lease is read separately.
    isLeaseFree: async (node, signal) => {
      const all = await allLeases()
      return all.ok ? ok(all.value.get(nodeLease(node))?.held !== true) : own.isLeaseFree(node, signal)
    },
    getLeaseAnnotations: async (node, signal) => {
      const all = await allLeases()
      return all.ok ? ok(all.value.get(nodeLease(node))?.annotations ?? {}) : own.getLeaseAnnotations(node, signal)
    },
    // Only repeated reads show whether a holder lives, so readings do not store that.
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

/** Watcher; a plan that it recommended in this reading is not read again. */
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

/** A port whose reads are sent only once; all other calls are passed on. */
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

/** The arguments with the signal of the whole reading instead of the caller's. */
function withSignal(given: unknown, within: AbortSignal | undefined): unknown {
  if (given instanceof AbortSignal) return within
  return isSignalled(given) ? { ...given, signal: within } : given
}

function isSignalled(given: unknown): given is { readonly signal: unknown } {
  return typeof given === 'object' && given !== null && 'signal' in given
}

/** The key of a question: equal exactly if all arguments are equal. Trailing missing arguments, fields without a value and abort signals do not count. */
export function questionKey(asked: readonly unknown[]): string {
  const last = asked.findLastIndex(each => !isNotGiven(each))
  return asked
    .slice(0, last + 1)
    .map(keyOf)
    .join(',')
}

function isNotGiven(value: unknown): boolean {
  return value === undefined || value instanceof AbortSignal
}

function keyOf(value: unknown): string {
  if (isNotGiven(value)) return 'undefined'
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(keyOf).join(',')}]`
  if (value instanceof Set) return `Set[${[...value].map(keyOf).sort().join(',')}]`
  // The parts of other kinds of values are unknown, so different questions could get the same key.
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) {
    throw new Error(`A reading does not support an argument of type ${typeof value} such as ${String(value)}`)
  }
  const fields = Object.entries(value)
    .filter(([, field]) => !isNotGiven(field))
    .map(([name, field]) => `${JSON.stringify(name)}:${keyOf(field)}`)
  return `{${fields.sort().join(',')}}`
}
