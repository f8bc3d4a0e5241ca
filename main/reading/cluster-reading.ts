import { type Clock, isoNow } from '../clock/clock.ts'
import { DEEDS, type Deeds } from '../ports/deeds.ts'
import type { MaintenanceWorld } from '../ports/world.ts'

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
  const { kubernetes, openstack, watcher, juju, microceph, osds } = world
  const reading: ClusterReading = {
    at: isoNow(clock),
    world: {
      ...world,
      kubernetes: {
        ...keptPort('kubernetes', kubernetes, DEEDS.kubernetes, kept),
        // Only looks again and again tell whether the holder of a Lease lives, so no reading keeps it.
        leases: kubernetes.leases,
      },
      maintenanceApi: keptPort('maintenanceApi', world.maintenanceApi, DEEDS.maintenanceApi, kept),
      ceph: keptPort('ceph', world.ceph, DEEDS.ceph, kept),
      openstack: openstack === null ? null : keptPort('openstack', openstack, DEEDS.openstack, kept),
      watcher: watcher === null ? null : keptPort('watcher', watcher, DEEDS.watcher, kept),
      juju: juju === null ? null : keptPort('juju', juju, DEEDS.juju, kept),
      microceph: microceph === null ? null : keptPort('microceph', microceph, DEEDS.microceph, kept),
      osds: osds === null ? null : keptPort('osds', osds, DEEDS.osds, kept),
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

/** Asks once for what is named so; `ask` is given the signal of the whole reading, as no one asker may call off what others wait for. */
type Kept = <T>(name: readonly unknown[], ask: (within: AbortSignal | undefined) => Promise<T>) => Promise<T>

function createKept(clock: Clock, signal: AbortSignal | undefined): Kept {
  const facts = new Map<string, { readonly askedAtMs: number; readonly answer: Promise<unknown> }>()
  return <T>(name: readonly unknown[], ask: (within: AbortSignal | undefined) => Promise<T>) => {
    const key = JSON.stringify(name)
    const known = facts.get(key)
    if (known !== undefined && clock.now() - known.askedAtMs < SERVES_MS) return known.answer as Promise<T>
    const answer = ask(signal)
    facts.set(key, { askedAtMs: clock.now(), answer })
    return answer
  }
}

type Call = (...given: unknown[]) => Promise<unknown>

/** A port whose reads are asked for once; all other calls are its own. */
function keptPort<Port extends object>(name: string, port: Port, deeds: Deeds<Port>, kept: Kept): Port {
  const calls: Partial<Record<keyof Port, unknown>> = {}
  for (const call of Object.keys(deeds) as (keyof Port & string)[]) {
    const own = port[call]
    calls[call] =
      deeds[call] === 'reads'
        ? (...given: unknown[]) => {
            // A signal that is not given is no other question than one that is.
            const asked = given.filter(each => each !== undefined && !(each instanceof AbortSignal)).map(withoutSignal)
            return kept([name, call, ...asked], within =>
              (own as Call).apply(
                port,
                given.map(each => withSignal(each, within)),
              ),
            )
          }
        : own
  }
  return calls as Port
}

/** What is asked for, without who may call it off. */
function withoutSignal(given: unknown): unknown {
  return isSignalled(given) ? Object.fromEntries(Object.entries(given).filter(([key]) => key !== 'signal')) : given
}

/** The same, called off with the whole reading alone. */
function withSignal(given: unknown, within: AbortSignal | undefined): unknown {
  if (given instanceof AbortSignal) return within
  return isSignalled(given) ? { ...given, signal: within } : given
}

function isSignalled(given: unknown): given is { readonly signal: unknown } {
  return typeof given === 'object' && given !== null && 'signal' in given
}
