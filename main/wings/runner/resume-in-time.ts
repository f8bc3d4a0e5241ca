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

/** What of a run may be begun when it is taken up now, by its end. */
type LeftInTime =
  /** Whatever is left. */
  | { readonly kind: 'free' }
  /** What is under way is finished, and none of these nodes is begun. `until`: the end that was confirmed. */
  | { readonly kind: 'held'; readonly nodes: readonly string[]; readonly until: string }
  /** It cannot be told just now, which is no reason to begin something. */
  | { readonly kind: 'untold'; readonly why: Finding }

/** How a run is judged by its end before it goes on: what was not begun is judged as at the start. */
export interface ResumeInTime {
  /** Why it is not taken up at all: nothing of it was begun, and it would not be finished in time. Null: it may be. */
  whyNot(run: MaintenanceRun, journaled: JournaledRun): Promise<Finding | null>
  /** What of it may be begun when it goes on now. */
  left(run: MaintenanceRun, journaled: JournaledRun): Promise<LeftInTime>
  /**
   * Has a run that nobody drives begin no other node where one would not be finished: asked before it is taken up, so that none is begun in between. Answers why it cannot be
   * taken up just now; null: it can.
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
    // Of a run over one node nothing else is left; one of which nothing was begun is judged as at the start all the same.
    if (notAfter === null || (nodes.length === 0 && isBegun(events))) return { kind: 'free' }
    const estimate = await estimateOnce(run, view.plan)
    const isPast = clock.now() >= Date.parse(notAfter)
    // Past the end nothing has to be told.
    if (!estimate.ok && !isPast) {
      return { kind: 'untold', why: because('DurationLeftUnknown', { cause: estimate.failure.message }) }
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
      if (may.kind === 'untold') return may.why
      if (may.kind === 'free') return null
      const held = await runnerApp.contract.ask('run.pause-after-node', { runId: id })
      log.info('run-resumed-to-finish', { run: id, left: may.nodes.length, ok: held.ok })
      if (!held.ok) return findingIn(held.failure)
      memory.heldBefore.add(id)
      return null
    },
  }
}

/** Whether anything was applied: until then nothing of it happened. */
function isBegun(events: readonly RunEvent[]): boolean {
  return events.some(({ body: { kind } }) => kind === 'step-started')
}
