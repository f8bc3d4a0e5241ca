import type { AcceptedRun } from '../../../shared/domain/maintenance-run.ts'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import type { RunService } from '../../runs/run-service.ts'
import type { Memory } from './cloud-memory.ts'

/** The MaintenanceRun that a run of the journal was begun for, as it was accepted; null: none. */
export function acceptedIn(events: readonly RunEvent[]): AcceptedRun | null {
  return begunHere(events)?.asked ?? null
}

/** With what a run began in this journal: its creation, or that it was taken over; null: its beginning is not known. */
function begunHere(events: readonly RunEvent[]) {
  const first = events[0]?.body
  const takenOver = events.findLast(({ body }) => body.kind === 'run-taken-over')?.body
  if (takenOver?.kind === 'run-taken-over') return takenOver
  return first?.kind === 'run-created' ? first : null
}

/** The same of a run by its id, read once: it never changes. Null also where the run cannot be read. */
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

/** Who confirmed, as the journal names them. */
export function confirmerIn(events: readonly RunEvent[]): string {
  return begunHere(events)?.driver.operator ?? ''
}

/** Whether someone other than a runner left the run on purpose: then only an operator resumes it. */
export function isLeftByPerson({ state }: Pick<RunView, 'state'>, runnerOperator: string): boolean {
  return state.kind === 'left' && state.left.code === 'Detached' && state.left.by !== runnerOperator
}

/** Who asked the run to begin no other node, if it was not resumed since; null: no one. */
export function heldAfterNodeBy(events: readonly RunEvent[]): string | null {
  const last = events.findLast(
    ({ body: { kind } }) =>
      kind === 'pause-after-node-requested' || kind === 'resume-requested' || kind === 'run-driven',
  )
  return last?.body.kind === 'pause-after-node-requested' ? last.body.by : null
}

/** Whether someone asked the run to pause, now or after its node, and it was not resumed since. It may not have paused yet. */
export function isPauseAsked(events: readonly RunEvent[]): boolean {
  const last = events.findLast(({ body: { kind } }) => PAUSES.has(kind) || CONTINUES.has(kind))
  return last !== undefined && PAUSES.has(last.body.kind)
}

const PAUSES: ReadonlySet<string> = new Set(['pause-requested', 'pause-after-node-requested'])
const CONTINUES: ReadonlySet<string> = new Set(['resume-requested', 'run-driven'])
