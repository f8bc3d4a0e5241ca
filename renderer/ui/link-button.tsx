import { Classes } from '@blueprintjs/core'
import type { ComponentProps, ReactNode } from 'react'

/** A way to another place that looks as what can be pressed: a link to a screen reader and to the middle button of a mouse. */
export function LinkButton({ children, className = '', ...rest }: ComponentProps<'a'>): ReactNode {
  return (
    <a {...rest} className={`${Classes.BUTTON} ${Classes.SMALL} ${className}`}>
      <span className={Classes.BUTTON_TEXT}>{children}</span>
    </a>
  )
}
