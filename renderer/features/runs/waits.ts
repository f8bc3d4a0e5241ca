import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import { evictionsOf, type LockProgress, locksOf, migrationsOf } from '../../../shared/domain/run-progress.ts'
import { undoneSteps } from '../../../shared/domain/undone-steps.ts'
import { counted } from '../../words/numbers.ts'

/** Something a run waits for, since when, and who can do something about it. */
export interface Wait {
  readonly what: string
  readonly since: string | null
  readonly who: string
  /** When a person is asked, where it goes on by itself until then. */
  readonly asksAt?: string
  /** When the step fails, if it does not hold by then. */
  readonly failsAt?: string
  /** The node whose instances and mode decide how long it takes; absent where they do not. */
  readonly node?: string
}

/** Who can do something about what a lock says, by what kind of sentence it is. */
const LOCK_WHO: Readonly<Record<LockProgress['kind'], string>> = {
  none: 'Its controller, which has not said anything yet.',
  progress: 'Its controller: it moves on by itself.',
  blocked: 'An operator or an owner: what its controller names has to be decided first.',
  trouble: 'Its controller tries again by itself; look at it when it goes on.',
}

/** What holds a run up beside a question: what may pass by itself, locks that are not yet given, budgets that refuse, migrations that stand still, a pause. */
export function waitsOf(view: RunView): readonly Wait[] {
  if (view.state.kind === 'finished') return []
  const working = view.steps.filter(({ state }) => state === 'applying' || state === 'waiting')
  const refused = working.flatMap(evictionsOf).filter(({ state }) => state === 'refused')
  const sentences = [...new Set(refused.map(({ note }) => note))]
  return [
    ...(view.state.kind === 'paused'
      ? [
          {
            what: 'Paused: nothing new is begun.',
            since: view.lastEventAt,
            who: 'Any operator of this cluster, with Go on.',
          },
        ]
      : []),
    ...view.passingWaits.map(({ stepId, reason, since, asksAt, failsAt }) => ({
      what: `${titleOf(view, stepId)}${reason}`,
      since,
      who: failsAt === null ? 'The run tries again and goes on by itself.' : 'The run looks again by itself.',
      ...(asksAt === null ? {} : { asksAt }),
      ...(failsAt === null ? {} : { failsAt }),
    })),
    ...working.flatMap(step => {
      const { node } = step.step.input
      return locksOf(step)
        .filter(({ isOpen }) => isOpen)
        .map(lock => ({
          what: `${lock.controller}, whose lock ${lock.name} is ${lock.state}${lock.message === '' ? '.' : `: ${lock.message}`}`,
          since: lock.since,
          who: LOCK_WHO[lock.kind],
          ...(lock.controller === 'openstack' && lock.kind === 'blocked' && typeof node === 'string' ? { node } : {}),
        }))
    }),
    ...sentences.map(note => {
      const pods = refused.filter(pod => pod.note === note)
      const since = pods.flatMap(({ refusedSince }) => refusedSince ?? []).sort()[0] ?? null
      return {
        what: `${pods.length === 1 ? (pods[0]?.pod ?? '') : counted(pods.length, 'pod')}: ${note}`,
        since,
        who: 'Whoever runs these pods: more healthy replicas elsewhere, or a wider budget. It is asked again by itself.',
      }
    }),
    ...working
      .flatMap(migrationsOf)
      .filter(({ state, stalled }) => state === 'running' && stalled)
      .map(({ name, note, startedAt }) => ({
        what: `${name}: its migration stands still.`,
        since: startedAt,
        who: note === '' ? 'An administrator of Nova: abort it or force it to complete.' : note,
      })),
  ]
}

function titleOf(view: RunView, stepId: string | null): string {
  const title = view.steps.find(({ step }) => step.id === stepId)?.step.title
  return title === undefined ? '' : `${title}: `
}

/** Why steps were skipped, and by whom, by the step's id. */
export function skipReasons(events: readonly RunEvent[]): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>()
  for (const { body } of events) {
    if (body.kind === 'step-skipped' && body.by === 'operator') reasons.set(body.stepId, body.reason)
    if (body.kind === 'step-started') reasons.delete(body.stepId)
  }
  return reasons
}

const STOPPING: ReadonlySet<RunEvent['body']['kind']> = new Set([
  'pause-requested',
  'paused',
  'resume-requested',
  'run-driven',
  'driver-left',
  'abort-requested',
  'run-finished',
])

/** Whether a pause was asked for and has not come about yet. */
export function isPausing(events: readonly RunEvent[]): boolean {
  return events.findLast(({ body }) => STOPPING.has(body.kind))?.body.kind === 'pause-requested'
}

/** What a run has changed so far and would stay if it ended now, with how each is undone. */
export function changedSoFar(view: RunView): readonly { readonly title: string; readonly undo: string }[] {
  const undone = undoneSteps(view)
  return view.steps
    .filter(
      ({ step, state, startedAt }) =>
        step.verbs.includes('apply') &&
        step.risk !== 'none' &&
        !undone.has(step.id) &&
        startedAt !== null &&
        state !== 'nothing-to-do' &&
        state !== 'skipped',
    )
    .map(({ step }) => ({ title: step.title, undo: step.undo }))
}
