import type { RunEvent } from '../../../../shared/domain/run.ts'
import type { Events } from '../../../api/events.ts'
import type { ApiServices } from '../../../api/services.ts'
import type { Clusters } from '../../../clusters/clusters.ts'
import type { Journal } from '../../../journal/journal.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { createEmitter } from '../../../platform/events/emitter.ts'
import type { Logger } from '../../../platform/log/logger.ts'
import type { OtherDrivers } from '../../../ports/other-drivers.ts'
import type { RunService } from '../../../runs/run-service.ts'
import { endTakenOver } from '../../../runs/take-over.ts'
import type { Attached, AttachedParts } from './attached.ts'
import { type CampaignHandlers, campaignHandlers } from './campaign-handlers.ts'
import { whyNotTakenBack } from './hand-over.ts'
import { clustersOfRunners } from './kubernetes-world.ts'
import { reportedBefore, withMirrored } from './mirrored-runs.ts'
import { openAttached } from './open-attached.ts'
import { createRefusedHandOvers } from './refused-hand-overs.ts'
import { askRunner } from './remote-control.ts'
import { type RunnerHandlers, runnerHandlers } from './runner-handlers.ts'

/** This console's own runs, and where it stores what it learns about runners. */
interface OtherDriversParts<R extends RunService> {
  /** The runs of this console's own journal. */
  readonly own: R
  readonly journal: Journal
  readonly clusters: Pick<Clusters, 'get' | 'list' | 'openKubernetes'>
  /** The folder in which mirrors of runners' journals are kept. */
  readonly directory: string
  readonly events: Events
  readonly clock: Clock
  readonly log: Logger
  readonly newId: () => string
}

/** Runners in clusters, as this console works with them. */
interface OpenedDrivers<R extends RunService> {
  /** The runs of this console and of all runners as one list. */
  readonly runs: R
  readonly port: OtherDrivers
  /** Answers requests about runners and campaigns. */
  handlers(services: RunnerServices): RunnerHandlers & CampaignHandlers
  close(): Promise<void>
}

type RunnerServices = Pick<
  ApiServices,
  'clock' | 'clusters' | 'installation' | 'journal' | 'newId' | 'plans' | 'runs' | 'windows'
>

/** Events of runners, before those that this console already knew are removed. */
interface Learned {
  /** New events of a mirror, in order. */
  readonly events: readonly RunEvent[]
  readonly received: Parameters<AttachedParts['onReceived']>
}

/** Attaches this console to runners. Uses no network before someone asks for runs or runners. */
export function openOtherDrivers<R extends RunService>(parts: OtherDriversParts<R>): OpenedDrivers<R> {
  const { own, journal, clusters, directory, events, clock, log, newId } = parts
  const learned = createEmitter<Learned>((topic, error) => log.error('runner-listener-failed', { topic, error }))
  const attached = openAttached({
    directory,
    clusters: clustersOfRunners(clusters, clock),
    clock,
    log,
    onEvents: news => learned.emit('events', news),
    onReceived: (...received) => learned.emit('received', received),
    onChanged: place => {
      events.internal.emit('runs.changed', null)
      events.emit('runner.changed', place)
    },
  })
  const runs = withMirrored(own, attached.mirrored, clock)
  const refusals = createRefusedHandOvers({
    own,
    journal,
    isReported: runId => {
      const found = runs.view(runId)
      return found.ok && found.value.summary.runner !== undefined
    },
    clock,
    log,
  })
  const isReportedBefore = reportedBefore({ isOwn: id => journal.row(id) !== null, view: runs.view })
  learned.on('events', news => {
    // What this console did before it handed the run over was reported when it was done.
    for (const event of news) if (!isReportedBefore(event)) passOn(event, parts)
    events.internal.emit('runs.changed', null)
  })
  learned.on('received', received => refusals.received(...received))
  const settle: OtherDrivers['settle'] = runId => refusals.settle(runId, attached.worldOf)
  return {
    runs,
    port: otherDriversOver(attached, settle, { clock, newId }),
    handlers: services => ({
      ...runnerHandlers({ ...services, attached, settleHandOvers: settle }),
      ...campaignHandlers({ ...services, attached }),
    }),
    close: attached.close,
  }
}

/** Sends the faces an event of a runner's run. */
function passOn(event: RunEvent, { own, events, log }: Pick<OtherDriversParts<RunService>, 'own' | 'events' | 'log'>) {
  const { runId, body } = event
  events.emit('run.event', event)
  if (body.kind === 'run-taken-over') endTakenOver(event, own, log)
  if (body.kind === 'run-finished') events.emit('run.rested', { runId, state: body.outcome, outcome: body.outcome })
}

function otherDriversOver(
  attached: Attached,
  settle: OtherDrivers['settle'],
  { clock, newId }: { readonly clock: Clock; readonly newId: () => string },
): OtherDrivers {
  const { begin, find, sources } = attached
  return {
    begin,
    find,
    sources,
    settle,
    askDriver: async ({ runId, pod }, control, ownWord) => {
      const world = await attached.worldOf(pod)
      if (!world.ok) return world
      const objects = world.value.maintenanceRuns(pod.namespace)
      return askRunner(runId, control, { objects, clock, newId, ownWord })
    },
    whyNotTakenBack: view => whyNotTakenBack(view, { attached, clock }),
  }
}
