import { type ReactNode, useMemo } from 'react'
import type { RunView } from '../../../shared/domain/run.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import type { RunWait } from '../../../shared/domain/run-wait.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { useTicks } from '../../stores/ticks.ts'
import { ChoiceButton } from '../runs/choice-button.tsx'
import { choicesOf } from '../runs/choices.ts'
import { Elapsed } from '../runs/elapsed.tsx'
import { TroubleCard } from '../runs/trouble-card.tsx'

interface Props {
  readonly view: RunView
  readonly condition: RunCondition
}

type Question = Extract<RunWait, { code: 'Question' }>

/** A shorter wait for the cloud is usual; its lane names it. */
const LEAST_CALM_MS = 60_000
const STEP_MS = 5000

/** What an update waits for: the work on nodes is one list; the rest are cards. */
export function UpdateWaits({ view, condition }: Props): ReactNode {
  const cut = useConnection(whyCutOff)
  const nowMs = useTicks(store => Math.floor(store.nowMs / STEP_MS) * STEP_MS)
  const { works, others } = useMemo(() => sorted(view, condition, nowMs), [view, condition, nowMs])
  const locked =
    cut !== null
      ? 'This console does not answer, so no answer can be sent from here.'
      : condition.kind === 'interrupted'
        ? 'No console runs this. Resume it first: it checks again, and asks again if it must.'
        : null
  if (works.length === 0 && others.length === 0) return null
  return (
    <div className="stack">
      {works.length === 0 ? null : <Works view={view} works={works} locked={locked} />}
      {others.map(wait => (
        <TroubleCard
          key={`${wait.code} ${wait.node} ${wait.code === 'Question' ? wait.gateId : ''}`}
          view={view}
          wait={wait}
          others={[]}
          locked={locked}
        />
      ))}
    </div>
  )
}

/** Whether Lockkeeper asks for the end of the work on a node. */
function isWork(view: RunView, wait: RunWait): wait is Question {
  return wait.code === 'Question' && view.steps.find(({ step }) => step.id === wait.stepId)?.step.kind === 'node-work'
}

function sorted(
  view: RunView,
  condition: RunCondition,
  nowMs: number,
): { readonly works: readonly Question[]; readonly others: readonly RunWait[] } {
  if (!('waits' in condition) || condition.kind === 'unheard') return { works: [], others: [] }
  const waits = condition.waits.filter(({ moves }) => !moves)
  return {
    works: waits.filter(wait => isWork(view, wait)),
    others: waits.filter(wait => {
      if (isWork(view, wait)) return false
      const needsYou = wait.for === 'answer' || wait.for === 'owner' || wait.for === 'operator'
      return needsYou || (wait.since !== null && nowMs - Date.parse(wait.since) >= LEAST_CALM_MS)
    }),
  }
}

interface WorksProps {
  readonly view: RunView
  readonly works: readonly Question[]
  /** Why no button works now; null if they work. */
  readonly locked: string | null
}

/** The nodes that are empty and wait for the end of your work: one sentence, and a line each. */
function Works({ view, works, locked }: WorksProps): ReactNode {
  return (
    <section className="upd-works" role="alert" aria-label="Your work on the nodes">
      <h2>{counted(works.length, 'node waits for your work', 'nodes wait for your work')}</h2>
      <p>
        {works.length === 1 ? 'It is empty. Bring it back' : 'They are empty. Bring each back'} when its work is done.
      </p>
      {locked === null ? null : <p className="caution">{locked}</p>}
      <ul className="plain-list">
        {works.map(wait => (
          <li key={wait.gateId} className="row wrap">
            <b className="mono">{wait.node}</b>
            <span className="quiet grow">
              {wait.since === null ? null : (
                <>
                  for <Elapsed from={wait.since} to={null} />
                </>
              )}
            </span>
            {locked === null
              ? choicesOf(view, wait)
                  .filter(({ key }) => key !== 'abort')
                  .map((choice, at) => <ChoiceButton key={choice.key} choice={choice} isFirst={at === 0} isSmall />)
              : null}
          </li>
        ))}
      </ul>
    </section>
  )
}
