import { Button, PopoverNext, Switch } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { DemoTrouble } from '../../../shared/domain/demo-troubles.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { historyWords, TROUBLE_TITLES, troubleSentence, troubleTry } from '../../../shared/words/demo-troubles.ts'
import { openPlanDialog } from '../../stores/plan-dialog.ts'
import { clusterRoute, goTo } from '../../stores/route.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { followDemo, readDemo, switchTrouble } from './bridge/demo.ts'
import { useDemo } from './stores/demo.ts'
import './demo.css'

/** In the bar of the demo: how far its history is, and the menu of its troubles. */
export function DemoMenu(): ReactNode {
  useEffect(followDemo, [])
  const state = useDemo(store => store.state)
  if (state === null) return null
  const on = state.troubles.filter(trouble => trouble.on).length
  return (
    <>
      {state.history === null ? null : (
        <span className="demo-history row" role="status">
          <progress value={state.history.played} max={state.history.of} aria-hidden />
          <span>{historyWords(state.history)}</span>
        </span>
      )}
      <PopoverNext
        content={<Troubles troubles={state.troubles} />}
        placement="bottom-end"
        onOpening={() => void readDemo()}
      >
        <Button
          className="demo-menu"
          variant="minimal"
          size="small"
          text={on === 0 ? 'Make it fail' : `Make it fail: ${on} on`}
          title="Put the demo in trouble"
        />
      </PopoverNext>
    </>
  )
}

function Troubles({ troubles }: { readonly troubles: readonly DemoTrouble[] }): ReactNode {
  const [failure, setFailure] = useState<Failure | null>(null)
  const flip = async ({ name, on }: DemoTrouble) => {
    const answer = await switchTrouble(name, !on)
    setFailure(answer.ok ? null : answer.failure)
  }
  return (
    <section className="troubles" aria-labelledby="troubles-title">
      <h2 id="troubles-title">Make it fail</h2>
      <p className="dim">Switch a trouble on, before a run or during it. Switch it off to end it.</p>
      {failure === null ? null : <FailureCallout title="The trouble was not switched" failure={failure} />}
      <ul>
        {troubles.map(trouble => (
          <li key={trouble.name} data-on={trouble.on}>
            <Switch
              checked={trouble.on}
              onChange={() => void flip(trouble)}
              labelElement={<TroubleLabel trouble={trouble} />}
            />
            <TryIt trouble={trouble} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function TroubleLabel({ trouble }: { readonly trouble: DemoTrouble }): ReactNode {
  return (
    <span>
      <b>{TROUBLE_TITLES[trouble.name]}</b>
      <span className="dim">{troubleSentence(trouble)}</span>
    </span>
  )
}

/** Opens the plan that meets the trouble; it starts nothing. */
function TryIt({ trouble }: { readonly trouble: DemoTrouble }): ReactNode {
  const words = troubleTry(trouble)
  const { cloud, node, name } = trouble
  if (words === null || node === null) return null
  return (
    <Button
      className="bp6-popover-dismiss"
      size="small"
      variant={trouble.on ? 'outlined' : 'minimal'}
      text={`${words}…`}
      onClick={() => {
        goTo(clusterRoute(cloud, 'topology'))
        openPlanDialog({ kind: name === 'silent-node' ? 'rescue' : 'enter', cluster: cloud, nodes: [node] })
      }}
    />
  )
}
