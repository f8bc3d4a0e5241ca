import type { MaintenanceRun } from '../../shared/domain/maintenance-run.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import { isoNow } from '../clock/clock.ts'
import { acceptedIn } from './accepted.ts'
import type { CloudRuns } from './cloud-runs.ts'
import type { CloudWorkParts } from './cloud-work-parts.ts'
import { firstNodes, holdFromMs, whyNotInTime } from './not-after.ts'
import { type JournaledRun, nodesNotBegun } from './run-status.ts'

/** How a run that nobody drives is judged by its end before it is taken up: what was not begun is judged as at the start. */
interface ResumeInTime {
  /** Why it is not taken up at all: nothing of it was begun, and it would not be finished in time. Null: it may be. */
  whyNot(run: MaintenanceRun, journaled: JournaledRun): Promise<string | null>
  /**
   * Has it begin no other node where one would not be finished: asked before it is taken up, so that none is begun in between. Answers why it cannot be
   * taken up just now; null: it can.
   */
  hold(run: MaintenanceRun, journaled: JournaledRun): Promise<string | null>
}

export function createResumeInTime(
  { hands, memory, clock, log }: Pick<CloudWorkParts, 'hands' | 'memory' | 'clock' | 'log'>,
  { estimateOnce }: Pick<CloudRuns, 'estimateOnce'>,
): ResumeInTime {
  return {
    whyNot: async (run, { view, events }) => {
      const notAfter = acceptedIn(events)?.notAfter ?? null
      if (notAfter === null || isBegun(events)) return null
      const estimate = await estimateOnce(run, view.plan)
      return whyNotInTime(notAfter, clock.now(), firstNodes(view.plan), estimate.ok ? estimate.value : null)
    },
    hold: async (run, { view, events }) => {
      const notAfter = acceptedIn(events)?.notAfter ?? null
      const left = notAfter === null ? [] : nodesNotBegun({ view, events }, isoNow(clock))
      // Of a run over one node nothing else is left; one of which nothing was begun is judged as at the start all the same.
      if (notAfter === null || (left.length === 0 && isBegun(events)) || memory.heldBefore.has(view.id)) return null
      const estimate = await estimateOnce(run, view.plan)
      const isPast = clock.now() >= Date.parse(notAfter)
      // What cannot be told is no reason to begin something, and past the end nothing has to be told.
      if (!estimate.ok && !isPast)
        return `How long what is left takes could not be estimated; it is tried again. ${estimate.failure.message}`
      if (left.length === 0) return null
      const fromMs = holdFromMs(notAfter, left, estimate.ok ? estimate.value : null)
      if (fromMs === null || clock.now() < fromMs) return null
      const held = await hands.contract.ask('run.pause-after-node', { runId: view.id })
      log.info('a run is taken up to finish what is under way', { run: view.id, left: left.length, ok: held.ok })
      if (!held.ok) return held.failure.message
      memory.heldBefore.add(view.id)
      return null
    },
  }
}

/** Whether anything was applied: until then nothing of it happened. */
function isBegun(events: readonly RunEvent[]): boolean {
  return events.some(({ body: { kind } }) => kind === 'step-started')
}
