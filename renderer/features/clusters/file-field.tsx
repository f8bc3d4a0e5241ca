import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { PathField } from '../../ui/clusters/path-field.tsx'

interface Props {
  readonly kind: 'kubeconfig' | 'clouds'
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onRead: (value: string) => void
  readonly failure: Failure | null
  readonly reading: boolean
}

/** A path of a new cloud's file, and the button that reads it. */
export function FileField({ kind, label, value, onChange, onRead, failure, reading }: Props): ReactNode {
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        onRead(value)
      }}
    >
      <PathField
        kind={kind}
        label={label}
        value={value}
        onChange={onChange}
        onPick={onRead}
        isWrong={failure !== null}
        {...(failure === null ? {} : { help: failure.message })}
      >
        <Button type="submit" text="Read" loading={reading} />
      </PathField>
    </form>
  )
}
