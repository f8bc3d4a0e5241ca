import { Classes } from '@blueprintjs/core'
import type { ComponentProps, ReactNode } from 'react'

/** A link that looks like a button: screen readers and the middle mouse button see a link. */
export function LinkButton({ children, className = '', ...rest }: ComponentProps<'a'>): ReactNode {
  return (
    <a {...rest} className={`${Classes.BUTTON} ${Classes.SMALL} ${className}`}>
      <span className={Classes.BUTTON_TEXT}>{children}</span>
    </a>
  )
}
