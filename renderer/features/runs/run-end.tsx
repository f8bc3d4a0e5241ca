import { Button, Callout, type Intent } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { isNodeRun } from '../../../shared/domain/plan.ts'
import { downAtLast } from '../../../shared/domain/ran-before.ts'
import type { RunOutcome, RunView } from '../../../shared/domain/run.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { conditionTitle } from '../../../shared/words/runs.ts'
import { resumeRun } from '../../bridge/runs.ts'
import { openPlanDialog } from '../../stores/plan-dialog.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'

const INTENTS: Readonly<Record<RunOutcome, Intent>> = {
  done: 'success',
  failed: 'danger',
  aborted: 'warning',
  'checks-failed': 'danger',
}

/** How a run ended: what was verified, what stays changed, and what to do next. */
export function RunEnd({ view }: { readonly view: RunView }): ReactNode {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [asking, setAsking] = useState(false)
  const { state, plan, steps } = view
  if (state.kind !== 'finished') return null
  const { outcome, summary, leftBehind } = state
  const verifying = steps.filter(({ step }) => step.verbs.includes('verify'))
  const held = verifying.filter(({ verify }) => verify?.kind === 'holds').length
  const down = downAtLast(steps.flatMap(({ facts }) => facts))
  const skipped = steps.filter(step => step.state === 'skipped').length
  const kind = isNodeRun(plan.kind) ? plan.kind : null
  const lay = (next: 'enter' | 'leave') => openPlanDialog({ cluster: plan.cluster, kind: next, nodes: [plan.node] })
  const resume = async () => {
    setAsking(true)
    const answer = await resumeRun(view.id)
    setAsking(false)
    setFailure(answer.ok ? null : answer.failure)
  }
  return (
    <Callout
      intent={outcome === 'done' && skipped > 0 ? 'warning' : INTENTS[outcome]}
      title={
        outcome === 'done' && skipped > 0
          ? `Done, with ${counted(skipped, 'step')} skipped`
          : conditionTitle({ kind: 'over', outcome, summary })
      }
      className="run-end"
    >
      <p>{summary}</p>
      {outcome === 'done' && verifying.length > 0 ? (
        <p>
          {held} of {counted(verifying.length, 'step')} verified in the cloud at the end.
        </p>
      ) : null}
      {down.length === 0 ? null : (
        <>
          <p>
            {counted(down.length, 'instance')} that ran before {down.length === 1 ? 'is' : 'are'} down:
          </p>
          <ul>
            {down.map(({ id, name }) => (
              <li key={id}>
                {name} <span className="quiet">{id}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {leftBehind.length === 0 ? null : (
        <>
          <p>Changed, and stays so:</p>
          <ul>
            {leftBehind.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      <div className="row wrap">
        {outcome === 'failed' ? (
          <Button text="Go on where it stopped" loading={asking} onClick={() => void resume()} />
        ) : null}
        {outcome === 'done' || kind === null ? null : <Button text="Try again" onClick={() => lay(kind)} />}
        {plan.kind === 'enter' && outcome !== 'checks-failed' ? (
          <Button
            intent={outcome === 'done' ? 'primary' : 'none'}
            text={`Bring back ${plan.node}`}
            onClick={() => lay('leave')}
          />
        ) : null}
      </div>
      {failure === null ? null : <FailureCallout title="It was not resumed" failure={failure} />}
    </Callout>
  )
}
