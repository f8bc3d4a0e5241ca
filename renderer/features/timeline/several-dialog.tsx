import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useRef, useState } from 'react'
import { counted } from '../../../shared/grammar/counts.ts'
import { closeSeveral } from '../../stores/several.ts'
import { SeveralPlan, type SeveralWay } from './several-plan.tsx'
import './several.css'

interface Props {
  readonly cluster: string
  readonly nodes: readonly string[]
}

/** Several nodes were chosen to go out: whether they come back, then the plan. Starts nothing. */
export function SeveralDialog({ cluster, nodes }: Props): ReactNode {
  const [way, setWay] = useState<SeveralWay | null>(null)
  return way === null ? (
    <Question nodes={nodes} onWay={setWay} />
  ) : (
    <SeveralPlan key={way} cluster={cluster} nodes={nodes} way={way} onWay={setWay} />
  )
}

interface QuestionProps {
  readonly nodes: readonly string[]
  readonly onWay: (way: SeveralWay) => void
}

/** What each way means, in one line. */
function Question({ nodes, onWay }: QuestionProps): ReactNode {
  const first = useRef<HTMLButtonElement>(null)
  const many = counted(nodes.length, 'node')
  return (
    <Dialog
      isOpen
      className="several"
      title={`Take ${many} out`}
      onClose={closeSeveral}
      onOpened={() => first.current?.focus()}
      canOutsideClickClose={false}
    >
      <DialogBody>
        <p className="mono several-names">{nodes.join(', ')}</p>
        <div className="several-ways">
          <Button ref={first} fill alignText="start" onClick={() => onWay('out')}>
            <b>All out now</b>
            <span>{many} go out together and stay out until you bring them back.</span>
          </Button>
          <Button fill alignText="start" onClick={() => onWay('back')}>
            <b>One after another, and back</b>
            <span>{many}, one after another: out, your work, back.</span>
          </Button>
        </div>
      </DialogBody>
      <DialogFooter actions={<Button variant="minimal" text="Cancel" onClick={closeSeveral} />} />
    </Dialog>
  )
}
