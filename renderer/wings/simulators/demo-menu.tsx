import { Button, PopoverNext, Switch } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { DemoTrouble } from '../../../shared/domain/demo-troubles.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { historyWords, TROUBLE_TITLES, troubleSentence, troubleTry } from '../../../shared/words/demo-troubles.ts'
import { openPlanDialog } from '../../stores/plan-dialog.ts'
import { clusterRoute, goTo, hashOf } from '../../stores/route.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { followDemo, readDemo, switchTrouble } from './bridge/demo.ts'
import { useDemo } from './stores/demo.ts'
import './demo.css'

/** In the bar of the demo: how far its history is, and the menu of its troubles. */
export function DemoMenu(): ReactNode {
  useEffect(followDemo, [])
  const state = useDemo(store => store.state)
  const [isOpen, setOpen] = useState(false)
  const chosen = useRef<DemoTrouble | null>(null)
  const choose = (trouble: DemoTrouble) => {
    chosen.current = trouble
    setOpen(false)
  }
  // Only now: the focus goes back to the button when the menu closes, and a plan that is open already would lose it.
  const closed = () => {
    if (chosen.current !== null) meet(chosen.current)
    chosen.current = null
  }
  if (state === null) return null
  const on = state.troubles.filter(trouble => trouble.on).length
  return (
    <>
      {state.history === null ? null : (
        <span className="demo-history nowrap small quiet row" role="status">
          <progress value={state.history.played} max={state.history.of} aria-hidden />
          <span>{historyWords(state.history)}</span>
        </span>
      )}
      <PopoverNext
        content={<Troubles troubles={state.troubles} onTry={choose} />}
        placement="bottom-end"
        isOpen={isOpen}
        onInteraction={setOpen}
        onClosed={closed}
        onOpening={() => void readDemo()}
      >
        <Button
          className="demo-menu rigid nowrap"
          variant="minimal"
          size="small"
          text="Make it fail"
          title="Put the demo in trouble"
        >
          {on === 0 ? null : (
            <span className="demo-on">
              {' '}
              {on}
              <span className="visually-hidden"> on</span>
            </span>
          )}
        </Button>
      </PopoverNext>
    </>
  )
}

/** Opens the plan that meets a trouble, over the map; it starts nothing. */
function meet({ cloud, node, name }: DemoTrouble): void {
  if (node === null) return
  const open = () =>
    openPlanDialog({ kind: name === 'silent-node' ? 'rescue' : 'enter', cluster: cloud, nodes: [node] })
  const map = clusterRoute(cloud, 'topology')
  if (window.location.hash === hashOf(map)) open()
  else {
    // A change of the address closes a plan.
    window.addEventListener('hashchange', open, { once: true })
    goTo(map)
  }
}

function Troubles({
  troubles,
  onTry,
}: {
  readonly troubles: readonly DemoTrouble[]
  readonly onTry: (trouble: DemoTrouble) => void
}): ReactNode {
  const [failure, setFailure] = useState<Failure | null>(null)
  const flip = async ({ name, on }: DemoTrouble) => {
    const answer = await switchTrouble(name, !on)
    setFailure(answer.ok ? null : answer.failure)
  }
  return (
    <section className="troubles" aria-labelledby="troubles-title">
      <h2 id="troubles-title">Make it fail</h2>
      <p>Switch one on before a run or during it.</p>
      {failure === null ? null : <FailureCallout title="The trouble was not switched" failure={failure} />}
      <ul>
        {troubles.map(trouble => (
          <li key={trouble.name}>
            <Switch
              id={`trouble-${trouble.name}`}
              aria-describedby={`trouble-${trouble.name}-why`}
              checked={trouble.on}
              onChange={() => void flip(trouble)}
            />
            <div>
              <label htmlFor={`trouble-${trouble.name}`}>{TROUBLE_TITLES[trouble.name]}</label>
              <p id={`trouble-${trouble.name}-why`}>{troubleSentence(trouble)}</p>
            </div>
            <TryIt trouble={trouble} onTry={onTry} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function TryIt({
  trouble,
  onTry,
}: {
  readonly trouble: DemoTrouble
  readonly onTry: (trouble: DemoTrouble) => void
}): ReactNode {
  const words = troubleTry(trouble)
  if (words === null) return null
  return (
    <Button
      size="small"
      variant={trouble.on ? 'solid' : 'minimal'}
      intent="primary"
      text={`${words}…`}
      onClick={() => onTry(trouble)}
    />
  )
}
