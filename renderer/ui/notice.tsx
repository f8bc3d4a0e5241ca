import { type ReactNode, useId } from 'react'

interface Props {
  readonly tone: 'plain' | 'problem'
  readonly title: string
  readonly children: ReactNode
}

/** Replaces missing content: says what is missing, why, and what to do (docs/style.md G37). */
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
