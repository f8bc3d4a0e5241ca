import type { ReactNode } from 'react'
import type { ReportTimes } from './html-times.ts'
import type { Tone } from './html-words.ts'

interface SectionProps {
  readonly id: string
  readonly title: string
  readonly children: ReactNode
}

/** A part of the report under its heading. */
export function Section({ id, title, children }: SectionProps): ReactNode {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  )
}

interface TableProps {
  readonly caption: string
  /** Heads of the columns; one that ends in `#` is of figures. */
  readonly columns: readonly string[]
  /** Rows, or bodies with rows. */
  readonly children: ReactNode
  readonly className?: string
}

/** A table whose head is repeated on every page it reaches; too narrow a window scrolls it, not the page. */
export function Table({ caption, columns, children, className = '' }: TableProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys (WCAG 2.1.1).
    <section className="scroll" aria-label={caption} tabIndex={0}>
      <table className={className}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(column => {
              const isFigure = column.endsWith('#')
              return (
                <th key={column} scope="col" className={isFigure ? 'figure' : undefined}>
                  {isFigure ? column.slice(0, -1) : column}
                </th>
              )
            })}
          </tr>
        </thead>
        {children}
      </table>
    </section>
  )
}

/** What an empty part says instead of a table. */
export function Nothing({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className="nothing">{children}</p>
}

interface WhenProps {
  readonly times: ReportTimes
  /** Null: `otherwise` is said. */
  readonly at: string | null
  readonly otherwise?: string
}

/** An instant: in the window's zone, and in UTC below. */
export function When({ times, at, otherwise = 'not known' }: WhenProps): ReactNode {
  if (at === null) return <span className="quiet">{otherwise}</span>
  const { zoned, utc } = times.stamp(at)
  return (
    <time dateTime={at}>
      {zoned} {utc === null ? null : <span className="utc">{utc}</span>}
    </time>
  )
}

/** A word that stands out by colour and by a frame. */
export function Badge({ words, tone }: { readonly words: string; readonly tone: Tone }): ReactNode {
  return <span className={`badge ${tone}`}>{words}</span>
}

/** A name of a usual length stays on one line, as an operator would look for it; a longer one may be broken. */
export function nameClass(name: string): string | undefined {
  return name.length <= LONGEST_UNBROKEN ? 'nowrap' : undefined
}

const LONGEST_UNBROKEN = 26
/** A sentence in bold is harder to read, not easier. */
const LONGEST_STRONG = 40

/** From one state to another; one of them where both are the same. */
export function Change({ before, after }: { readonly before: string; readonly after: string }): ReactNode {
  if (before === after) return before
  return (
    <>
      {before} <span className="arrow">→</span> {after.length > LONGEST_STRONG ? after : <strong>{after}</strong>}
    </>
  )
}
