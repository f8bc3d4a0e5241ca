import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'

interface RemedyProps {
  readonly text: string
  readonly cost: string
  readonly loading?: boolean
  readonly onClick: () => void
}

/** A button with what it costs at its end. */
export function Remedy({ text, cost, loading = false, onClick }: RemedyProps): ReactNode {
  return (
    <Button
      className="plan-remedy"
      fill
      alignText="start"
      text={text}
      endIcon={<span className="plan-more">{cost}</span>}
      loading={loading}
      onClick={onClick}
    />
  )
}
