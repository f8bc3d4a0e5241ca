import type { RunnerStatus } from '../../../../shared/contract/index.ts'
import { seconds } from '../../../../shared/domain/durations.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { RunEvent } from '../../../../shared/domain/run.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Logger } from '../../../platform/log/logger.ts'
import type { OtherDrivers } from '../../../ports/other-drivers.ts'
import { codedOf, codedTextOf } from '../../../runs/engine/said.ts'
import type { JournalMirror, JournalMirrors } from '../mirrors/mirrors.ts'
import type { ClustersOfRunners, KubernetesWorld } from './kubernetes-world.ts'
import { type MirroredRuns, mirroredRuns } from './mirrored-runs.ts'
import { linkRunner, lost, type OpenContract, type RunnerLink, runnerOf } from './runner-link.ts'
import {
  isSamePlace,
  MOST_PODS,
  podKey,
  podName,
  RUNNER_NAMESPACE,
  type RunnerPlace,
  type RunnerPod,
} from './runner-place.ts'

/** Runners in clusters and the mirrors of their journals: their runs continue without this console. */
export interface Attached extends Pick<OtherDrivers, 'begin' | 'find' | 'sources'> {
  /** Every known runner. Also searches a named cluster, and waits a moment for connections in progress. */
  runners(cluster: string | null): Promise<readonly RunnerStatus[]>
  /** The runner that manages a cloud, with the way to its objects; a failure says why there is none. */
  runnerOf(cluster: string): Promise<Result<{ readonly pod: RunnerPod; readonly world: KubernetesWorld }>>
  /** The places of known runners, each once; without waiting. */
  places(): readonly RunnerPlace[]
  worldOf(place: RunnerPlace): Promise<Result<KubernetesWorld>>
  readonly mirrored: () => readonly MirroredRuns[]
  close(): Promise<void>
}

/** Where runners were found, kept over restarts of the console. */
export interface KnownRunners {
  all(): readonly RunnerPod[]
  add(pod: RunnerPod): void
}

export interface AttachedParts {
  readonly clusters: ClustersOfRunners
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

const PATIENCE_MS = seconds(6)

type Link = RunnerLink & { readonly over: Promise<void> }

interface AttachedState extends AttachedParts {
  readonly closing: AbortController
  readonly links: Map<string, Link>
  readonly readings: WeakMap<JournalMirror, MirroredRuns>
  hasBegun: boolean
}

/** Attaches to runners. Uses no network before someone asks for runs or runners. */
export function createAttached(parts: AttachedParts): Attached {
  const state: AttachedState = {
    ...parts,
    log: parts.log.child('attach'),
    closing: new AbortController(),
    links: new Map(),
    readings: new WeakMap(),
    hasBegun: false,
  }
  return {
    begin: () => linkKnown(state),
    places: () => {
      linkKnown(state)
      const all = [...state.links.values()].map(({ pod: { by, namespace } }) => ({ by, namespace }))
      return all.filter((one, at) => all.findIndex(other => isSamePlace(other, one)) === at)
    },
    worldOf: place => worldOf(place, state),
    mirrored: () => allMirrored(state),
    runners: cluster => listRunners(cluster, state),
    runnerOf: cluster => findRunnerOf(cluster, state),
    find: given => findRun(given, state),
    sources: () =>
      allMirrors(state).map(({ mirror }) => ({ report: mirror.journal.report, windows: mirror.journal.windows })),
    close: async () => {
      state.closing.abort()
      await Promise.all([...state.links.values()].map(({ over }) => over))
      state.mirrors.close()
    },
  }
}

function worldOf({ by }: RunnerPlace, { clusters }: AttachedState): Promise<Result<KubernetesWorld>> {
  return clusters.openKubernetes(by)
}

function allMirrors({ mirrors }: AttachedState) {
  return mirrors.all().flatMap(mirror => {
    const about = mirror.about()
    return about === null ? [] : [{ mirror, about }]
  })
}

/** Links every runner that this console knows from earlier, once. */
function linkKnown(state: AttachedState): void {
  if (state.hasBegun) return
  state.hasBegun = true
  const registered = state.clusters.list()
  const names = new Set(registered.ok ? registered.value.map(({ name }) => name) : [])
  for (const pod of [...state.known.all(), ...allMirrors(state).map(({ about }) => podOf(about))]) {
    if (names.has(pod.by)) link(pod, state)
  }
}

function link(pod: RunnerPod, state: AttachedState): void {
  const { links, openContract, mirrors, clock, log, onEvents, onChanged, onReceived, closing } = state
  const key = podKey(pod)
  if (links.has(key)) return
  const made = linkRunner(
    {
      pod,
      portForward: async () => {
        const world = await worldOf(pod, state)
        return world.ok ? ok(world.value.portForward) : world
      },
      openContract,
      mirrors,
      before: newest(allMirrors(state).filter(({ about }) => podKey(about) === key)),
      clock,
      log,
      onEvents,
      onChanged: () => onChanged(pod),
      onReceived: () => onReceived(pod, isPlaceConnected(pod, state), () => worldOf(pod, state), closing.signal),
    },
    closing.signal,
  )
  links.set(key, made)
}

function isPlaceConnected(place: RunnerPlace, { links }: AttachedState): boolean {
  return [...links.values()].every(
    ({ pod, connection }) => !isSamePlace(pod, place) || connection().kind === 'connected',
  )
}

/** Links the runners in a cluster's own Kubernetes; a failure says why there is none. */
async function lookFor(cluster: string, state: AttachedState): Promise<Failure | null> {
  const pods = await podsAt({ by: cluster, namespace: RUNNER_NAMESPACE }, state)
  if (!pods.ok) return pods.failure
  for (const pod of pods.value) {
    state.known.add(pod)
    link(pod, state)
  }
  return null
}

/** The existing pods of a place, read one by one by name. */
async function podsAt(place: RunnerPlace, state: AttachedState): Promise<Result<readonly RunnerPod[]>> {
  const world = await worldOf(place, state)
  if (!world.ok) return world
  const { by, namespace } = place
  const found: RunnerPod[] = []
  for (let index = 0; index < MOST_PODS; index += 1) {
    const name = podName(index)
    const pod = await world.value.kubernetes.getPod(namespace, name, state.closing.signal)
    if (pod.ok) {
      found.push({ ...place, name })
      continue
    }
    if (found.length > 0) break
    if (pod.failure.code !== 'not-found') return pod
    const why = because('NoRunnerPod', { pod: name, namespace, by })
    return failed(refusal('not-found', why, { target: `cluster/${by}` }))
  }
  return ok(found)
}

async function waitForLinks({ links, clock, closing }: AttachedState): Promise<void> {
  const tries = [...links.values()].map(({ firstTry }) => firstTry)
  await Promise.race([Promise.all(tries), clock.sleep(PATIENCE_MS, closing.signal)])
}

async function listRunners(cluster: string | null, state: AttachedState): Promise<readonly RunnerStatus[]> {
  linkKnown(state)
  const why = cluster === null ? null : await lookFor(cluster, state)
  await waitForLinks(state)
  const statuses = [...state.links.values()].map(statusOf)
  if (cluster === null || why === null || statuses.some(({ by }) => by === cluster)) return statuses
  const connection = { kind: 'absent', why: why.message, ...codedOf(codedTextOf(why)) } as const
  return [...statuses, { by: cluster, namespace: RUNNER_NAMESPACE, name: null, clouds: [], connection }]
}

async function findRunnerOf(
  cluster: string,
  state: AttachedState,
): Promise<Result<{ readonly pod: RunnerPod; readonly world: KubernetesWorld }>> {
  linkKnown(state)
  const why = await lookFor(cluster, state)
  await waitForLinks(state)
  const all = [...state.links.values()]
  // A runner in the cloud's own cluster first; then one elsewhere that knows the cloud.
  const serving = all
    .filter(({ connection }) => connection().kind === 'connected')
    .filter(({ description }) => description()?.clouds.includes(cluster) === true)
    .toSorted((a, b) => Number(b.pod.by === cluster) - Number(a.pod.by === cluster))[0]
  if (serving === undefined) return failed(whyNoRunner(cluster, all, why))
  const world = await worldOf(serving.pod, state)
  return world.ok ? ok({ pod: serving.pod, world: world.value }) : world
}

/** The runs of every mirror, each mirror read by one reader. */
function allMirrored(state: AttachedState): readonly MirroredRuns[] {
  const { readings, clock } = state
  return allMirrors(state).map(({ mirror, about }) => {
    const known = readings.get(mirror)
    if (known !== undefined) return known
    const pod = podOf(about)
    const current = () => linkOf(pod, mirror, state)
    const made = mirroredRuns(
      mirror,
      () => runnerOf(current() ?? { pod, connection: () => LOST, mirror: () => mirror }, clock),
      runId => current()?.isUndriven(runId) ?? (mirror.about()?.undriven ?? []).includes(runId),
      clock,
    )
    readings.set(mirror, made)
    return made
  })
}

/** The link that keeps this mirror; null if its runner has another journal now, or is not linked. */
function linkOf(pod: RunnerPod, mirror: JournalMirror, { links }: AttachedState): Link | null {
  const link = links.get(podKey(pod))
  return link?.mirror() === mirror ? link : null
}

function findRun(given: string, state: AttachedState): ReturnType<OtherDrivers['find']> {
  const holder = allMirrored(state).find(each => each.idOf(given) !== null)
  const runId = holder?.idOf(given) ?? null
  const about = holder?.mirror.about() ?? null
  if (holder === undefined || runId === null || about === null) return null
  const { journal } = holder.mirror
  const pod = podOf(about)
  return {
    runId,
    pod,
    connected: linkOf(pod, holder.mirror, state)?.connection().kind === 'connected',
    clouds: about.clouds,
    report: journal.report,
    windows: journal.windows,
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

function whyNoRunner(cluster: string, links: readonly RunnerLink[], why: Failure | null): Failure {
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
