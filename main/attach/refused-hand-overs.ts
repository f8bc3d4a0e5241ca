import { isNeverBegun } from '../../shared/domain/maintenance-run.ts'
import type { HandOverPlace } from '../../shared/domain/run.ts'
import type { ConnectedWorld } from '../clusters/clusters.ts'
import type { Journal } from '../journal/journal.ts'
import type { Logger } from '../log/logger.ts'
import type { RunService } from '../runs/run-service.ts'
import type { RunnerPlace } from './runner-place.ts'

/**
 * Looks whether the runs that this console handed over to a place were refused there: then nobody drives them, and that is told in this console's journal, so that every
 * list and signal says it. Asked whenever a runner of that place was heard; of a run that a runner has begun, or whose object is gone, nothing is asked again.
 */
export function createRefusalsHeard(parts: {
  /** The runs of this console's own journal. */
  readonly own: Pick<RunService, 'endHandOver' | 'view'>
  readonly journal: Pick<Journal, 'handedOver'> & { readonly care: Pick<Journal['care'], 'isImported'> }
  readonly log: Pick<Logger, 'warn'>
}): (place: RunnerPlace, world: ConnectedWorld) => Promise<void> {
  const { own, journal, log } = parts
  const settled = new Set<string>()

  async function look(runId: string, place: RunnerPlace, world: ConnectedWorld): Promise<void> {
    const found = own.view(runId)
    const { handedTo = null, state } = found.ok ? found.value.view : {}
    if (!found.ok || handedTo === null || !isAt(handedTo, place) || settled.has(handedTo.storyHash)) return
    const read = await world.maintenanceRuns(place.namespace).run(handedTo.object)
    if (!read.ok) return
    const run = read.value
    if (run === null) {
      // One that was only announced may be asked for again.
      if (state?.kind === 'finished') settled.add(handedTo.storyHash)
      return
    }
    const { spec, status } = run
    if ('unreadable' in spec || spec.handedOver?.storyHash !== handedTo.storyHash) return
    if (status === null || 'unreadable' in status) return
    if (status.runId !== null) settled.add(handedTo.storyHash)
    if (!isNeverBegun(run)) return
    const named = `MaintenanceRun ${run.name} in namespace ${place.namespace} of ${place.by}`
    const ended = own.endHandOver(runId, {
      kind: 'not-handed-over',
      why: `${status.phase === 'Aborted' ? `${named} was withdrawn` : `The runner refused ${named}`}: ${status.message}`,
      lastSeq: found.value.events.at(-1)?.seq ?? 0,
    })
    if (!ended.ok) log.warn('a refused hand-over could not be told', { runId, why: ended.failure.message })
  }

  return async (place, world) => {
    try {
      const ids = journal.handedOver()
      if (!ids.ok) return log.warn('runs that were handed over cannot be read', { why: ids.failure.message })
      for (const runId of ids.value) {
        // One of an imported journal is told by the console that drove it.
        if (!journal.care.isImported(runId)) await look(runId, place, world)
      }
    } catch (error) {
      // Whoever hears a runner goes on hearing it.
      log.warn('runs that were handed over could not be looked at', { error })
    }
  }
}

function isAt(to: HandOverPlace, place: RunnerPlace): boolean {
  return to.by === place.by && to.namespace === place.namespace
}
