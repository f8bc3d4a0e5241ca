import { Button } from '@blueprintjs/core'
import { CaretDownIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { counted } from '../../../shared/grammar/counts.ts'

interface Props {
  readonly cluster: string
  /** Selected, and shown by the filter: what is acted on. */
  readonly count: number
  /** Selected, and left out by the filter: not acted on. */
  readonly leftOut: number
  readonly onMode: (at: { readonly left: number; readonly top: number }) => void
  readonly onClear: () => void
}

/** What is done with a selection of instances. */
export function BulkBar({ cluster, count, leftOut, onMode, onClear }: Props): ReactNode {
  if (count + leftOut === 0) return null
  return (
    <section className="inst-bulk row wrap" aria-label="Selected instances">
      <b>{`${counted(count, 'instance')} of ${cluster} selected`}</b>
      {leftOut === 0 ? null : (
        <span className="quiet">{`${leftOut} more ${leftOut === 1 ? 'is' : 'are'} left out by the filter, and stay as they are`}</span>
      )}
      <Button
        size="small"
        intent="primary"
        text="Set mode…"
        endIcon={<CaretDownIcon size={12} />}
        aria-haspopup="menu"
        disabled={count === 0}
        onClick={event => {
          const box = event.currentTarget.getBoundingClientRect()
          onMode({ left: box.left, top: box.bottom })
        }}
      />
      <Button size="small" variant="minimal" text="Clear selection" onClick={onClear} />
    </section>
  )
}
