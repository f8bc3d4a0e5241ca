import type { MaintenanceRun } from '../../../shared/domain/maintenance-run.ts'
import type { RunEvent } from '../../../shared/domain/run.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { isoNow } from '../../platform/clock/clock.ts'
import { acceptedIn } from './accepted.ts'
import type { CloudRuns } from './cloud-runs.ts'
import type { CloudWorkParts } from './cloud-work-parts.ts'
import { firstNodes, holdFromMs, whyNotInTime } from './not-after.ts'
import { type JournaledRun, nodesNotBegun } from './run-status.ts'

/** What a run may still do by its end, if it continues now. */
type LeftInTime =
  | { readonly kind: 'free' }
  /** It finishes its current work and starts no node of these. `until`: the confirmed end. */
  | { readonly kind: 'held'; readonly nodes: readonly string[]; readonly until: string }
  /** The runner cannot know now, and starts nothing. */
  | { readonly kind: 'unknown'; readonly why: Finding }

export interface ResumeInTime {
  /** Why a run that has done nothing yet is not resumed: it would not be finished in time; null if it may be resumed. */
  whyNot(run: MaintenanceRun, journaled: JournaledRun): Promise<Finding | null>
  left(run: MaintenanceRun, journaled: JournaledRun): Promise<LeftInTime>
  /**
   * Stops a run without a driver after its current node if the next one would not be finished in time; before the resume, so that no node starts in between.
   * Returns why the run cannot be resumed now; null if it can.
   */
  hold(run: MaintenanceRun, journaled: JournaledRun): Promise<Finding | null>
}

export function createResumeInTime(
  { runnerApp, memory, clock, log }: Pick<CloudWorkParts, 'runnerApp' | 'memory' | 'clock' | 'log'>,
  { estimateOnce }: Pick<CloudRuns, 'estimateOnce'>,
): ResumeInTime {
  async function left(run: MaintenanceRun, { view, events }: JournaledRun): Promise<LeftInTime> {
    const notAfter = acceptedIn(events)?.notAfter ?? null
    const nodes = notAfter === null ? [] : nodesNotBegun({ view, events }, isoNow(clock))
    // A run of one node has no further nodes; a run that has done nothing yet is judged as at its start all the same.
    if (notAfter === null || (nodes.length === 0 && isBegun(events))) return { kind: 'free' }
    const estimate = await estimateOnce(run, view.plan)
    const isPast = clock.now() >= Date.parse(notAfter)
    // Past the end the duration does not matter.
    if (!estimate.ok && !isPast) {
      return { kind: 'unknown', why: because('DurationLeftUnknown', { cause: estimate.failure.message }) }
    }
    const fromMs = holdFromMs(notAfter, nodes, estimate.ok ? estimate.value : null)
    return nodes.length === 0 || fromMs === null || clock.now() < fromMs
      ? { kind: 'free' }
      : { kind: 'held', nodes, until: notAfter }
  }

  return {
    whyNot: async (run, { view, events }) => {
      const notAfter = acceptedIn(events)?.notAfter ?? null
      if (notAfter === null || isBegun(events)) return null
      const estimate = await estimateOnce(run, view.plan)
      return whyNotInTime(notAfter, clock.now(), firstNodes(view.plan), estimate.ok ? estimate.value : null)
    },
    left,
    hold: async (run, journaled) => {
      const { id } = journaled.view
      if (memory.heldBefore.has(id)) return null
      const may = await left(run, journaled)
      if (may.kind === 'unknown') return may.why
      if (may.kind === 'free') return null
      const held = await runnerApp.contract.ask('run.pause-after-node', { runId: id })
      log.info('run-resumed-to-finish', { run: id, left: may.nodes.length, ok: held.ok })
      if (!held.ok) return findingIn(held.failure)
      memory.heldBefore.add(id)
      return null
    },
  }
}

function isBegun(events: readonly RunEvent[]): boolean {
  return events.some(({ body: { kind } }) => kind === 'step-started')
}
