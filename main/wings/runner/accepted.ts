import type { AcceptedRun } from '../../../shared/domain/maintenance-run.ts'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import type { RunService } from '../../runs/run-service.ts'
import type { Memory } from './cloud-memory.ts'

/** The MaintenanceRun of a run, as the runner accepted it; null if someone started the run at a console. */
export function acceptedIn(events: readonly RunEvent[]): AcceptedRun | null {
  return firstHere(events)?.asked ?? null
}

/** The event with which a run began in this journal; null if unknown. */
function firstHere(events: readonly RunEvent[]) {
  const first = events[0]?.body
  const takenOver = events.findLast(({ body }) => body.kind === 'run-taken-over')?.body
  if (takenOver?.kind === 'run-taken-over') return takenOver
  return first?.kind === 'run-created' ? first : null
}

/** The same by the id of the run, read once because it never changes; null also if the run cannot be read. */
export function acceptedOfRun(
  runId: string,
  { runs }: { readonly runs: Pick<RunService, 'view'> },
  { accepted }: Pick<Memory, 'accepted'>,
): AcceptedRun | null {
  const known = accepted.get(runId)
  if (known !== undefined) return known
  const found = runs.view(runId)
  if (!found.ok) return null
  const asked = acceptedIn(found.value.events)
  accepted.set(runId, asked)
  return asked
}

/** The operator who confirmed the run, by the journal's name. */
export function confirmerIn(events: readonly RunEvent[]): string {
  return firstHere(events)?.driver.operator ?? ''
}

/** Whether an operator left the run on purpose: then only an operator resumes it. */
export function isLeftByPerson({ state }: Pick<RunView, 'state'>, runnerOperator: string): boolean {
  return state.kind === 'left' && state.left.code === 'Detached' && state.left.by !== runnerOperator
}

/** The author of the request to stop the run after its node, unless it was resumed since; null if there is no such request. */
export function pauseAfterNodeAuthor(events: readonly RunEvent[]): string | null {
  const last = events.findLast(
    ({ body: { kind } }) =>
      kind === 'pause-after-node-requested' || kind === 'resume-requested' || kind === 'run-driven',
  )
  return last?.body.kind === 'pause-after-node-requested' ? last.body.by : null
}

/** Whether someone asked the run to pause, now or after its node, and it was not resumed since; it may not have paused yet. */
export function isPauseAsked(events: readonly RunEvent[]): boolean {
  const last = events.findLast(({ body: { kind } }) => PAUSES.has(kind) || CONTINUES.has(kind))
  return last !== undefined && PAUSES.has(last.body.kind)
}

const PAUSES: ReadonlySet<string> = new Set(['pause-requested', 'pause-after-node-requested'])
const CONTINUES: ReadonlySet<string> = new Set(['resume-requested', 'run-driven'])
