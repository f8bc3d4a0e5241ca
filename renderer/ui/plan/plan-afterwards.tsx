import { SegmentedControl } from '@blueprintjs/core'
import type { ReactNode } from 'react'

interface Props<Way extends string> {
  readonly words: string
  readonly options: readonly { readonly value: Way; readonly label: string }[]
  readonly value: Way
  readonly onWay: (way: Way) => void
  readonly children?: ReactNode
}

/** What happens to nodes once they are out of service. */
export function PlanAfterwards<Way extends string>({ words, options, value, onWay, children }: Props<Way>): ReactNode {
  return (
    <section className="plan-afterwards" aria-label={words}>
      <p className="quiet small" aria-hidden="true">
        {words}
      </p>
      <SegmentedControl
        fill
        role="radiogroup"
        aria-label={words}
        options={[...options]}
        value={value}
        onValueChange={chosen => {
          const way = options.find(option => option.value === chosen)
          if (way !== undefined) onWay(way.value)
        }}
      />
      {children}
    </section>
  )
}
