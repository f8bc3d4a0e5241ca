import { type ReactNode, useId } from 'react'
import { useClusterColour } from '../../stores/clusters.ts'

interface Props {
  readonly title: string
  /** Beside the title, quieter. */
  readonly note?: ReactNode
  readonly children: ReactNode
}

/** One part of Home: a title, and a card with a row for each thing. */
export function HomeSection({ title, note, children }: Props): ReactNode {
  const id = useId()
  return (
    <section className="home-part" aria-labelledby={id}>
      <h2 id={id}>
        {title} {note === undefined ? null : <span className="home-note quiet">{note}</span>}
      </h2>
      {children}
    </section>
  )
}

interface FactsProps {
  readonly cluster: string
  readonly children: ReactNode
}

/** The quiet second line of a row: its cloud, then facts. */
export function RowFacts({ cluster, children }: FactsProps): ReactNode {
  const colour = useClusterColour(cluster)
  return (
    <small className="home-facts">
      <span className="dot" style={{ background: colour }} />
      <span>{cluster}</span>
      {children}
    </small>
  )
}
