import type { RunnerStatus } from '../../../../shared/contract/index.ts'
import { seconds } from '../../../../shared/domain/durations.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { RunEvent } from '../../../../shared/domain/run.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Clusters, KubernetesWorld } from '../../../clusters/clusters.ts'
import type { JournalMirror, JournalMirrors } from '../../../journal/mirrors.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Logger } from '../../../platform/log/logger.ts'
import type { OtherDrivers } from '../../../ports/other-drivers.ts'
import { codedOf, codedTextOf } from '../../../runs/engine/said.ts'
import { type MirroredRuns, mirroredRuns } from './mirrored-runs.ts'
import { linkRunner, lost, type OpenContract, type RunnerLink, runnerOf } from './runner-link.ts'
import {
  isSamePlace,
  keyOf,
  MOST_PODS,
  podName,
  RUNNER_NAMESPACE,
  type RunnerPlace,
  type RunnerPod,
} from './runner-place.ts'

/** Runners in clusters and the mirrors of their journals: their runs continue without this console. */
export interface Attached extends Pick<OtherDrivers, 'begin' | 'find' | 'sources'> {
  /** Every known runner. Also looks for those of a named cluster, and waits a moment for connections in progress. */
  runners(cluster: string | null): Promise<readonly RunnerStatus[]>
  /** The runner that looks after a cloud, with the way to its objects; a failure says why there is none. */
  runnerOf(cluster: string): Promise<Result<{ readonly pod: RunnerPod; readonly world: KubernetesWorld }>>
  /** The places of known runners, each once; waits for none. */
  places(): readonly RunnerPlace[]
  /** A way to the objects of a place. */
  worldOf(place: RunnerPlace): Promise<Result<KubernetesWorld>>
  /** The runs of all mirrors. */
  readonly mirrored: () => readonly MirroredRuns[]
  close(): Promise<void>
}

/** Where runners were found, kept over restarts of the console. */
export interface KnownRunners {
  all(): readonly RunnerPod[]
  add(pod: RunnerPod): void
}

export interface AttachedParts {
  readonly clusters: Pick<Clusters, 'get' | 'list' | 'openKubernetes'>
  readonly mirrors: JournalMirrors
  /** Runners that were found once, also those whose journal is still empty. */
  readonly known: KnownRunners
  readonly openContract: OpenContract
  readonly clock: Clock
  readonly log: Logger
  readonly onEvents: (events: readonly RunEvent[]) => void
  readonly onChanged: (place: RunnerPlace) => void
  /** Called after a runner of this place answered and its new events were reported. Its result is not awaited. */
  readonly onReceived: (
    place: RunnerPlace,
    /** Whether all known runners of the place answer now. */
    isWhole: boolean,
    open: () => Promise<Result<KubernetesWorld>>,
    signal: AbortSignal,
  ) => void
}

/** How long a request waits for a connection to a runner. */
const PATIENCE_MS = seconds(6)

interface Kept {
  readonly link: RunnerLink & { readonly over: Promise<void> }
}

/** Attaches to runners. Uses no network before someone asks for runs or runners. */
export function createAttached(parts: AttachedParts): Attached {
  const { clusters, mirrors, clock, onEvents, onChanged } = parts
  const log = parts.log.child('attach')
  const closing = new AbortController()
  const links = new Map<string, Kept>()
  const readings = new WeakMap<JournalMirror, MirroredRuns>()
  let begun = false

  const worldOf = (place: RunnerPlace) => clusters.openKubernetes(place.by)
  const allMirrors = () =>
    mirrors.all().flatMap(mirror => {
      const about = mirror.about()
      return about === null ? [] : [{ mirror, about }]
    })

  function link(pod: RunnerPod): RunnerLink {
    const known = links.get(keyOf(pod))
    if (known !== undefined) return known.link
    const made = linkRunner(
      {
        pod,
        portForward: async () => {
          const world = await worldOf(pod)
          return world.ok ? ok(world.value.portForward) : world
        },
        openContract: parts.openContract,
        mirrors,
        before: newest(allMirrors().filter(({ about }) => keyOf(about) === keyOf(pod))),
        clock,
        log,
        onEvents,
        onChanged: () => onChanged(pod),
        onReceived: () => parts.onReceived(pod, isWholeReceived(pod), () => worldOf(pod), closing.signal),
      },
      closing.signal,
    )
    links.set(keyOf(pod), { link: made })
    return made
  }

  function isWholeReceived(place: RunnerPlace): boolean {
    return [...links.values()].every(
      ({ link: { pod, connection } }) => !isSamePlace(pod, place) || connection().kind === 'connected',
    )
  }

  /** The existing pods of a place, read one by one by name. */
  async function podsAt(place: RunnerPlace): Promise<Result<readonly RunnerPod[]>> {
    const world = await worldOf(place)
    if (!world.ok) return world
    const found: RunnerPod[] = []
    let why: Failure | null = null
    for (let index = 0; index < MOST_PODS; index += 1) {
      const name = podName(index)
      const pod = await world.value.kubernetes.getPod(place.namespace, name, closing.signal)
      if (!pod.ok) {
        why = pod.failure
        break
      }
      found.push({ ...place, name })
    }
    if (found.length > 0) return ok(found)
    return failed(
      why === null || why.code === 'not-found'
        ? refusal('not-found', because('NoRunnerPod', { pod: podName(0), namespace: place.namespace, by: place.by }), {
            target: `cluster/${place.by}`,
          })
        : why,
    )
  }

  function begin(): void {
    if (begun) return
    begun = true
    const registered = clusters.list()
    const names = new Set(registered.ok ? registered.value.map(({ name }) => name) : [])
    for (const pod of [...parts.known.all(), ...allMirrors().map(({ about }) => podOf(about))]) {
      if (names.has(pod.by)) link(pod)
    }
  }

  async function lookFor(cluster: string): Promise<Failure | null> {
    const place = { by: cluster, namespace: RUNNER_NAMESPACE }
    const pods = await podsAt(place)
    if (!pods.ok) return pods.failure
    for (const pod of pods.value) {
      parts.known.add(pod)
      link(pod)
    }
    return null
  }

  const settled = (wanted: readonly RunnerLink[]) =>
    Promise.race([Promise.all(wanted.map(each => each.firstTry)), clock.sleep(PATIENCE_MS, closing.signal)])

  const mirrored = (): readonly MirroredRuns[] =>
    allMirrors().map(({ mirror, about }) => {
      const known = readings.get(mirror)
      if (known !== undefined) return known
      const ofIt = () => {
        const kept = links.get(keyOf(about))?.link
        return kept?.mirror() === mirror ? kept : null
      }
      const made = mirroredRuns(
        mirror,
        () => runnerOf(ofIt() ?? { pod: podOf(about), connection: () => LOST, mirror: () => mirror }, clock),
        runId => ofIt()?.isUndriven(runId) ?? (mirror.about()?.undriven ?? []).includes(runId),
        clock,
      )
      readings.set(mirror, made)
      return made
    })

  return {
    begin,
    places: () => {
      begin()
      const all = [...links.values()].map(({ link: { pod } }) => ({ by: pod.by, namespace: pod.namespace }))
      return all.filter((one, at) => all.findIndex(other => isSamePlace(other, one)) === at)
    },
    worldOf,
    mirrored,
    runners: async cluster => {
      begin()
      const why = cluster === null ? null : await lookFor(cluster)
      await settled([...links.values()].map(each => each.link))
      const statuses = [...links.values()].map(each => statusOf(each.link))
      const isKnown = statuses.some(({ by }) => by === cluster)
      return cluster === null || why === null || isKnown
        ? statuses
        : [
            ...statuses,
            {
              by: cluster,
              namespace: RUNNER_NAMESPACE,
              name: null,
              clouds: [],
              connection: { kind: 'absent', why: why.message, ...codedOf(codedTextOf(why)) },
            },
          ]
    },
    runnerOf: async cluster => {
      begin()
      const why = await lookFor(cluster)
      await settled([...links.values()].map(each => each.link))
      const all = [...links.values()].map(each => each.link)
      const connected = all.filter(each => each.connection().kind === 'connected')
      // A cloud's own cluster first; then a runner elsewhere that knows it.
      const serving = connected
        .filter(each => each.description()?.clouds.includes(cluster) === true)
        .toSorted((a, b) => Number(b.pod.by === cluster) - Number(a.pod.by === cluster))[0]
      if (serving !== undefined) {
        const world = await worldOf(serving.pod)
        return world.ok ? ok({ pod: serving.pod, world: world.value }) : world
      }
      return failed(whyNone(cluster, all, why))
    },
    find: given => {
      const holder = mirrored().find(each => each.idOf(given) !== null)
      const runId = holder?.idOf(given) ?? null
      if (holder === undefined || runId === null) return null
      const about = holder.mirror.about()
      if (about === null) return null
      const kept = links.get(keyOf(about))?.link
      return {
        runId,
        pod: podOf(about),
        connected: kept?.mirror() === holder.mirror && kept.connection().kind === 'connected',
        clouds: about.clouds,
        report: holder.mirror.journal.report,
        windows: holder.mirror.journal.windows,
      }
    },
    sources: () =>
      allMirrors().map(({ mirror }) => ({ report: mirror.journal.report, windows: mirror.journal.windows })),
    close: async () => {
      closing.abort()
      await Promise.all([...links.values()].map(each => each.link.over))
      mirrors.close()
    },
  }
}

const LOST = lost(because('RunnerNotLookedFor'), null)

function podOf({ by, namespace, name }: RunnerPod): RunnerPod {
  return { by, namespace, name }
}

function newest(
  found: readonly { readonly mirror: JournalMirror; readonly about: { readonly asOf: string } }[],
): JournalMirror | null {
  return found.toSorted((a, b) => b.about.asOf.localeCompare(a.about.asOf))[0]?.mirror ?? null
}

function statusOf(link: RunnerLink): RunnerStatus {
  const clouds = link.description()?.clouds ?? link.mirror()?.about()?.clouds ?? []
  return { ...link.pod, clouds: [...clouds], connection: link.connection() }
}

/** Why no runner takes plans of a cloud. */
function whyNone(cluster: string, links: readonly RunnerLink[], why: Failure | null): Failure {
  const target = { target: `cluster/${cluster}` }
  const connected = links.filter(each => each.connection().kind === 'connected')
  if (connected.length > 0) {
    const runners = connected.map(({ pod, description }) => ({
      runner: pod.name,
      by: pod.by,
      clouds: [...(description()?.clouds ?? [])],
    }))
    return refusal('not-found', because('NoRunnerKnowsCloud', { cluster, runners }), target)
  }
  const [lost] = links.filter(({ pod }) => pod.by === cluster)
  const connection = lost?.connection()
  if (lost !== undefined && connection?.kind === 'lost') {
    return refusal(
      'unreachable',
      because('RunnerLost', { cluster, runner: lost.pod.name, cause: connection.why }),
      target,
    )
  }
  return why ?? refusal('not-found', because('NoRunnerOfCloud', { cluster }), target)
}
