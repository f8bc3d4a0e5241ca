import type { AskedRun, AskedRuns } from '../../../../shared/contract/index.ts'
import { seconds } from '../../../../shared/domain/durations.ts'
import { isFinalPhase, type MaintenanceRun, readableStatus } from '../../../../shared/domain/maintenance-run.ts'
import { failed, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { type CodedText, codedOf, codedTextOf } from '../../../runs/engine/said.ts'
import type { RunnerObjects } from '../ports/maintenance-runs.ts'
import type { Attached } from './attached.ts'
import type { KubernetesWorld } from './kubernetes-world.ts'
import { runIdOf } from './remote-control.ts'
import type { RunnerPlace } from './runner-place.ts'

/** How long a list of runs waits for objects: as long as for a connection to a runner. */
const PATIENCE_MS = seconds(6)

interface Wanted {
  readonly cluster: string | null
  /** Selects objects whose names begin with this, including those that this console shows as a run. */
  readonly object?: string | undefined
}

/** Reads the MaintenanceRuns of every place where runners are known; a place that does not answer in time hides none of the others, and is named. */
export async function askedRuns(
  { cluster, object }: Wanted,
  {
    attached,
    clock,
    reports,
  }: {
    readonly attached: Pick<Attached, 'places' | 'worldOf' | 'find'>
    readonly clock: Clock
    /** Whether this console shows the result of a run that it handed over as this object: then the object adds nothing. */
    readonly reports: (runId: string, object: string) => boolean
  },
): Promise<AskedRuns> {
  const isReportedHere = ({ mirrored, over, runId, handedOver, object: name }: AskedRun) =>
    mirrored || (over && runId === null && handedOver !== null && reports(handedOver, name))
  const isWanted = (run: AskedRun) =>
    (cluster === null || run.cluster === null || run.cluster === cluster) &&
    (object === undefined ? !isReportedHere(run) : run.object.startsWith(object))
  const looks = await Promise.all(
    attached.places().map(async place => ({ place, read: await objectsOf(place, attached.worldOf, clock) })),
  )
  return {
    runs: looks
      .flatMap(({ place, read }) => (read.ok ? read.value.runs.map(run => askedRunOf(run, place, attached)) : []))
      .filter(isWanted)
      .toSorted((a, b) => b.askedAt.localeCompare(a.askedAt) || a.object.localeCompare(b.object)),
    unread: looks.flatMap(({ place: { by, namespace }, read }) =>
      read.ok ? [] : [{ by, namespace, why: read.failure.message, ...codedOf(codedTextOf(read.failure)) }],
    ),
  }
}

export function askedRunOf(
  { name, createdAt, spec, status }: MaintenanceRun,
  { by, namespace }: RunnerPlace,
  attached: Pick<Attached, 'find'>,
): AskedRun {
  const asked = 'unreadable' in spec ? null : spec
  const reported = readableStatus({ status })
  const runId = runIdOf({ status })
  return {
    by,
    namespace,
    object: name,
    kind: asked?.kind ?? null,
    cluster: asked?.cluster ?? null,
    confirmedBy: asked?.confirmedBy ?? null,
    node: asked?.node ?? null,
    phase: reported?.phase ?? null,
    ...saidOfRun({ spec, status }),
    startAfter: asked?.startAfter ?? null,
    notAfter: asked?.notAfter ?? null,
    campaign: asked?.campaign ?? null,
    handedOver: asked?.handedOver?.run ?? null,
    askedAt: createdAt,
    runId,
    mirrored: runId !== null && attached.find(runId) !== null,
    over: reported !== null && isFinalPhase(reported.phase),
  }
}

/** What it waits for, or its result; with a code if the text is from this console. */
function saidOfRun({ spec, status }: Pick<MaintenanceRun, 'spec' | 'status'>): CodedText {
  if (status !== null && 'unreadable' in status) {
    return because('RunStatusUnreadable', { cause: status.unreadable })
  }
  if (status !== null) return { message: status.message }
  return 'unreadable' in spec ? because('ObjectUnreadable', { unreadable: spec.unreadable }) : because('NotLookedAt')
}

async function objectsOf(
  place: RunnerPlace,
  worldOf: (place: RunnerPlace) => Promise<Result<KubernetesWorld>>,
  clock: Clock,
): Promise<Result<Pick<RunnerObjects, 'runs'>>> {
  const settled = new AbortController()
  const read = async () => {
    const world = await worldOf(place)
    return world.ok ? world.value.maintenanceRuns(place.namespace).objects(settled.signal) : world
  }
  const late = async () => {
    await clock.sleep(PATIENCE_MS, settled.signal)
    return failed(
      refusal('timed-out', because('PlaceSilent', { by: place.by, withinMs: PATIENCE_MS }), {
        target: `cluster/${place.by}`,
      }),
    )
  }
  try {
    return await Promise.race([read(), late()])
  } finally {
    settled.abort()
  }
}
