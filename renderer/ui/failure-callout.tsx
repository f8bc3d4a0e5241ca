import { Button, Callout } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { Failure } from '../../shared/domain/failure.ts'
import { screenSentence } from './said.tsx'

interface Props {
  readonly title: string
  readonly failure: Failure
  /** Present if another try can help. */
  readonly onRetry?: (() => void) | undefined
  readonly children?: ReactNode
}

/** Replaces what could not be read or done: what, why, what next (docs/style.md G37); the technical text folds out. */
export function FailureCallout({ title, failure, onRetry, children }: Props): ReactNode {
  return (
    <Callout intent="danger" title={title} role="alert">
      <p>{screenSentence(failure.message)}</p>
      {failure.detail === undefined ? null : (
        <details>
          <summary>Technical detail</summary>
          <code>{failure.detail}</code>
        </details>
      )}
      {children}
      {onRetry === undefined ? null : <Button text="Try again" onClick={onRetry} />}
    </Callout>
  )
}
