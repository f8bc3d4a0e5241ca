import { type ReactNode, useId } from 'react'

interface Props {
  readonly tone: 'plain' | 'problem'
  readonly title: string
  readonly children: ReactNode
}

/** A panel that stands where content cannot: says what is so, why, and what to do next (docs/style.md G37). */
export function Notice({ tone, title, children }: Props): ReactNode {
  const titleId = useId()
  return (
    <section
      className={`notice notice-${tone}`}
      aria-labelledby={titleId}
      role={tone === 'problem' ? 'alert' : 'region'}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </section>
  )
}
