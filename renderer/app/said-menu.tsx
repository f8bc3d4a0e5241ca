import type { ReactNode } from 'react'
import { useToasts } from '../stores/toasts.ts'
import { When } from '../ui/when.tsx'

/** What was said since the page was opened, newest first: for whoever looked away. */
export function SaidMenu(): ReactNode {
  const said = useToasts(store => store.said)
  return (
    <section className="said" aria-label="What was said">
      {said.length === 0 ? <p className="quiet">Nothing was said since this page was opened.</p> : null}
      <ol>
        {said.toReversed().map(({ id, at, text }) => (
          <li key={id}>
            <span className="quiet">
              <When at={at} short />
            </span>{' '}
            {text}
          </li>
        ))}
      </ol>
    </section>
  )
}
