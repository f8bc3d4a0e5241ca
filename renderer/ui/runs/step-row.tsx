import { memo, type ReactNode, useCallback, useMemo } from 'react'
import type { LockProgress } from '../../../shared/domain/lock-history.ts'
import type { PassingWait, StepState, StepView } from '../../../shared/domain/run.ts'
import { evictionsOf, locksOf, migrationsOf } from '../../../shared/domain/run-progress.ts'
import type { RunWait } from '../../../shared/domain/run-wait.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { STEP_STATE_WORDS, waitWords } from '../../../shared/words/runs.ts'
import { passingWords } from '../../../shared/words/waits.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { EvidenceList } from '../evidence-list.tsx'
import { LockLine } from '../lock-line.tsx'
import { Said } from '../said.tsx'
import { WhenMinute } from '../when.tsx'
import { Elapsed } from './elapsed.tsx'
import { EvictionRows } from './eviction-rows.tsx'
import { MigrationRows } from './migration-rows.tsx'

/** The fields of a lock that a run's journal does not keep. */
const UNREPORTED = { innerState: null, progress: null, release: null, deletingSince: null, faults: [] }

interface Props {
  readonly cluster: string
  readonly step: StepView
  /** When the run was last left; null while it runs. */
  readonly leftAt: string | null
  /** Why the operator skipped it; null if it was not skipped. */
  readonly skipped: string | null
  /** A wait that may pass automatically; null if there is none. */
  readonly passing: PassingWait | null
  /** What holds the step up, with the person or system behind it; null if there is nothing. */
  readonly wait: RunWait | null
}

/** One step: its state and reason, its migrations, evictions and locks, and its evidence. */
export const StepRow = memo(function StepRow({ cluster, step, leftAt, skipped, passing, wait }: Props): ReactNode {
  const { state, attempts, startedAt, endedAt, check, verify, failure } = step
  const migrations = useMemo(() => migrationsOf(step), [step])
  const evictions = useMemo(() => evictionsOf(step), [step])
  const locks = useMemo(() => locksOf(step), [step])
  const isBegun = state === 'applying' || state === 'waiting'
  // For a check, passing is the end; for an acting step, it is the beginning.
  const shown = state === 'ready' && step.step.verbs.includes('apply') ? 'pending' : state
  // A step without a verification is complete.
  const isDone = state === 'applied' && !step.step.verbs.includes('verify')
  const unfinished = isBegun && leftAt !== null
  const isOpen = SPEAKING.has(state) || passing !== null
  const evidence = [...(verify?.evidence ?? []), ...(check?.evidence ?? [])]
  return (
    <li>
      <details className="run-step" open={isOpen}>
        <summary className="run-step-head">
          <span className={`run-step-state run-mark-${unfinished || wait !== null ? 'waits' : MARKS[shown]}`}>
            {unfinished
              ? 'not finished'
              : wait === null
                ? isDone
                  ? 'done'
                  : STEP_STATE_WORDS[shown]
                : waitWords(wait)}
          </span>
          <b className="grow">{step.step.title}</b>
          <span className="quiet">{step.step.role}</span>
          {attempts > 1 ? <span className="quiet">attempt {attempts}</span> : null}
          {startedAt === null ? null : <Elapsed from={startedAt} to={isBegun ? leftAt : (endedAt ?? startedAt)} />}
        </summary>
        <div className="run-step-more">
          {skipped === null ? null : <p className="caution">Skipped by the operator: {skipped}</p>}
          {passing === null ? null : (
            <p className="caution">
              Waiting since <WhenMinute at={passing.since} />,{' '}
              {passing.failsAt === null ? (
                'continues automatically'
              ) : (
                <>
                  checks again until <WhenMinute at={passing.failsAt} />, then fails
                </>
              )}
              {passing.asksAt === null ? null : (
                <>
                  ; asks you at <WhenMinute at={passing.asksAt} />
                </>
              )}
              : {passingWords(passing)}
            </p>
          )}
          <Reason step={step} />
          {failure === null ? null : <p className="bad">{failure.message}</p>}
          {verify !== null && verify.kind !== 'holds' ? (
            <p className="bad">
              {verify.kind === 'cannot-tell' ? 'Cannot be checked. ' : ''}
              <Said text={`${verify.reason} ${verify.remedy}`} />
            </p>
          ) : null}
          {migrations.length === 0 ? null : (
            <MigrationRows migrations={migrations} isOpen={unfinished} leftAt={leftAt} />
          )}
          {evictions.length === 0 ? null : <EvictionRows evictions={evictions} isOpen={isBegun} leftAt={leftAt} />}
          {locks.length === 0 ? null : <LockRows cluster={cluster} locks={locks} isOpen={isBegun} />}
          {evidence.length === 0 ? null : (
            <details>
              <summary className="quiet">Evidence</summary>
              <EvidenceList evidence={evidence} />
            </details>
          )}
        </div>
      </details>
    </li>
  )
})

/** The mark of a step's state: the same for a step, a node and a lane of the timeline. */
const MARKS: Readonly<Record<StepState, string>> = {
  pending: 'pending',
  ready: 'done',
  blocked: 'failed',
  overridden: 'waits',
  'nothing-to-do': 'done',
  applying: 'at-work',
  waiting: 'waits',
  applied: 'at-work',
  verified: 'done',
  'cannot-tell': 'cannot-tell',
  failed: 'failed',
  skipped: 'skipped',
}

/** States whose details show without opening the step. */
const SPEAKING: ReadonlySet<StepState> = new Set(['applying', 'waiting', 'blocked', 'failed', 'cannot-tell'])

function Reason({ step: { check, verify, step, state } }: { readonly step: StepView }): ReactNode {
  if (verify?.kind === 'holds') return <p>{verify.reason}</p>
  if (check === null) return state === 'pending' ? <p className="quiet">{step.why}</p> : null
  if (check.kind === 'blocked') {
    return (
      <>
        {check.blockers.map(({ message, remedy }) => (
          <p key={message} className={state === 'overridden' ? 'caution' : 'bad'}>
            {message} {remedy}
          </p>
        ))}
      </>
    )
  }
  return (
    <>
      <p>{check.reason}</p>
      {check.warnings.map(({ message }) => (
        <p key={message} className="caution">
          {message}
        </p>
      ))}
    </>
  )
}

interface LockRowsProps {
  readonly cluster: string
  readonly locks: readonly LockProgress[]
  readonly isOpen: boolean
}

/** Each lock that a step waits for: its controller, its state and the controller's last message. */
function LockRows({ cluster, locks, isOpen }: LockRowsProps): ReactNode {
  const nameOf = useCallback(
    (id: string) => lastOf(useViews.getState().byCluster.get(cluster))?.instances.get(id)?.name ?? id,
    [cluster],
  )
  const settled = locks.filter(lock => !lock.isOpen).length
  return (
    <details open={isOpen}>
      <summary>
        {settled} of {counted(locks.length, 'lock')} as expected
      </summary>
      <ul className="plain-list" aria-label="Locks">
        {locks.map(({ name, controller, state, message }) => (
          <LockLine
            key={name}
            lock={{ ...UNREPORTED, controller, state, errorMessage: message }}
            instanceName={nameOf}
          />
        ))}
      </ul>
    </details>
  )
}
