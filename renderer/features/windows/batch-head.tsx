import { Button } from '@blueprintjs/core'
import { ArrowLeftIcon, ArrowRightIcon } from '@blueprintjs/icons'
import { memo, type ReactNode } from 'react'

interface Props {
  /** Its place, from 0. */
  readonly at: number
  readonly isLast: boolean
  readonly onMove: (at: number, by: -1 | 1) => void
}

/** The number of a batch, with buttons to move it earlier or later. */
export const BatchHead = memo(function BatchHead({ at, isLast, onMove }: Props): ReactNode {
  return (
    <header className="win-batch-head row">
      <h3 className="nowrap">Batch {at + 1}</h3>
      <span className="space" />
      <Button
        size="small"
        variant="minimal"
        icon={<ArrowLeftIcon />}
        aria-label={`Batch ${at + 1} earlier`}
        disabled={at === 0}
        onClick={() => onMove(at, -1)}
      />
      <Button
        size="small"
        variant="minimal"
        icon={<ArrowRightIcon />}
        aria-label={`Batch ${at + 1} later`}
        disabled={isLast}
        onClick={() => onMove(at, 1)}
      />
    </header>
  )
})
