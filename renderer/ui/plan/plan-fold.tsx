import { ChevronRightIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

interface Props {
  readonly icon: ReactNode
  readonly line: ReactNode
  /** Whether it is open at first. */
  readonly open?: boolean
  readonly children: ReactNode
}

/** One line of the sheet that opens. */
export function PlanFold({ icon, line, open = false, children }: Props): ReactNode {
  return (
    <details className="plan-fold" open={open}>
      <summary>
        <span className="plan-fold-icon rigid quiet">{icon}</span>
        <span className="grow">{line}</span>
        <ChevronRightIcon className="plan-fold-caret" size={12} />
      </summary>
      <div className="plan-fold-more">{children}</div>
    </details>
  )
}
