import { Fragment, type ReactNode } from 'react'
import type { Tone } from '../../shared/words/report-outcomes.ts'
import { type Cell, cellWords, isFigure } from './cells.ts'
import { type Column, type Fact, type Part, type Section, says, shownColumns, type Table } from './sections.ts'
import type { ReportTimes } from './times.ts'

/** A name of up to so many letters stays on one line; a longer one may be broken. */
const LONGEST_UNBROKEN = 26
/** A sentence in bold is harder to read. */
const LONGEST_STRONG = 40

interface SectionProps {
  readonly id: string
  readonly title: string
  readonly children: ReactNode
}

/** A part of the page under its heading. */
export function PageSection({ id, title, children }: SectionProps): ReactNode {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  )
}

/** A section of the report; an empty one says so. */
export function SectionView({ section, times }: { readonly section: Section; readonly times: ReportTimes }): ReactNode {
  const { id, title, parts, nothing } = section
  return (
    <PageSection id={id} title={title}>
      {parts.length === 0 ? <p className="nothing">{nothing}</p> : null}
      {each(parts, part => (
        <PartView part={part} times={times} />
      ))}
    </PageSection>
  )
}

function PartView({ part, times }: { readonly part: Part; readonly times: ReportTimes }): ReactNode {
  switch (part.kind) {
    case 'text':
      return <TextView part={part} />
    case 'list':
      return (
        <>
          {part.title === '' ? null : <p>{part.title}</p>}
          <ul className="lines">
            {each(part.items, item => (
              <li>{item}</li>
            ))}
          </ul>
        </>
      )
    case 'facts':
      return <Facts className="facts hashes" facts={part.facts} times={times} />
    case 'table':
      return (
        <>
          {part.table.title === '' ? null : <h3>{part.table.title}</h3>}
          {each(part.table.groups, group => (
            <>
              {group.title === '' ? null : <h3>{group.title}</h3>}
              <GroupTable table={part.table} group={group} times={times} />
            </>
          ))}
        </>
      )
  }
}

function TextView({ part: { text, as } }: { readonly part: Extract<Part, { kind: 'text' }> }): ReactNode {
  if (as === 'alarm') {
    return (
      <p className="banner alarm">
        <strong>{text}</strong>
      </p>
    )
  }
  if (as === 'command') {
    return (
      <p>
        <code>{text}</code>
      </p>
    )
  }
  return <p className={as === 'plain' ? undefined : as}>{text}</p>
}

type Shown = ReturnType<typeof shownColumns>[number]

/** A column as HTML draws it: with those that stand below its values, or after an arrow beside them. */
interface DrawnColumn {
  readonly main: Shown
  readonly after: Shown | undefined
  readonly under: readonly DrawnColumn[]
  readonly isFigure: boolean
}

interface GroupProps {
  readonly table: Table
  readonly group: Table['groups'][number]
  readonly times: ReportTimes
}

/** The rows of a group. Each page repeats the head; in a window that is too narrow the table scrolls, not the page. */
function GroupTable({ table, group, times }: GroupProps): ReactNode {
  const shown = shownColumns(table, group).filter(({ name }) => name !== group.by)
  const wide = shown.filter(({ isWide }) => isWide === true)
  const columns = drawnColumns(
    shown.filter(({ isWide }) => isWide !== true),
    group.rows,
  )
  const by = table.columns.findIndex(({ name }) => name === group.by)
  const bodies = Map.groupBy(group.rows, ({ cells }) => {
    const cell = cells[by]
    return cell === undefined ? '' : cellWords(cell, times)
  })
  const caption = group.title === '' ? table.caption : `${table.caption}: ${group.title}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys (WCAG 2.1.1).
    <section className="scroll" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {each(columns, column => (
              <Head column={column} />
            ))}
          </tr>
        </thead>
        {each([...bodies], ([title, rows]) => (
          <tbody>
            {title === '' ? null : (
              <tr className="group">
                <th scope="rowgroup" colSpan={columns.length}>
                  {title} <span className="quiet">{rows.length}</span>
                </th>
              </tr>
            )}
            {each(rows, row => (
              <>
                <tr className={row.isQuiet ? 'quiet' : undefined}>
                  {each(columns, column => (
                    <Value column={column} cells={row.cells} times={times} />
                  ))}
                </tr>
                <WideRow columns={wide} width={columns.length} cells={row.cells} times={times} />
              </>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

function drawnColumns(shown: readonly Shown[], rows: Table['groups'][number]['rows']): readonly DrawnColumn[] {
  const has = (name: string | undefined) => name !== undefined && shown.some(column => column.name === name)
  const drawn = (main: Shown): DrawnColumn => ({
    main,
    after: shown.find(({ after }) => after === main.name),
    under: shown.filter(({ under }) => under === main.name).map(drawn),
    isFigure: rows.some(({ cells }) => isFigure(cells[main.at] ?? { kind: 'none', words: '' })),
  })
  return shown.filter(({ under, after }) => !has(under) && !has(after)).map(drawn)
}

function Head({ column }: { readonly column: DrawnColumn }): ReactNode {
  const [first, ...others] = titlesOf(column)
  return (
    <th scope="col" className={column.isFigure ? 'figure' : undefined}>
      {first}
      {others.length === 0 ? null : <span className="below quiet">{others.join(', ')}</span>}
    </th>
  )
}

function titlesOf({ main, after, under }: DrawnColumn): readonly string[] {
  return [main.title, ...(after === undefined ? [] : [after.title]), ...under.flatMap(titlesOf)]
}

interface ValueProps {
  readonly column: DrawnColumn
  readonly cells: readonly Cell[]
  readonly times: ReportTimes
}

function Value({ column, cells, times }: ValueProps): ReactNode {
  const inner = (
    <>
      <Changed column={column} cells={cells} times={times} otherwise="–" />
      {each(column.under, under => (
        <Below column={under} cells={cells} times={times} />
      ))}
    </>
  )
  if (column.main.isKey === true) return <th scope="row">{inner}</th>
  return <td className={column.isFigure ? 'figure' : undefined}>{inner}</td>
}

/** A value below another one: a number, a time or a name says what it is. */
function Below({ column, cells, times }: ValueProps): ReactNode {
  const cell = cells[column.main.at]
  if (!says(cell)) return null
  const isPlain = cell.kind === 'text' && cell.as !== 'name'
  return (
    <span className={isPlain ? 'below quiet' : 'below'}>
      {isPlain || cell.kind === 'code' ? '' : `${column.main.title}: `}
      <Changed column={column} cells={cells} times={times} otherwise="" />
    </span>
  )
}

/** A value, with what became of it; one of them where both are the same. */
function Changed({ column, cells, times, otherwise }: ValueProps & { readonly otherwise: string }): ReactNode {
  const before = cells[column.main.at]
  const after = column.after === undefined ? undefined : cells[column.after.at]
  const shown = says(before) ? <CellView cell={before} times={times} /> : otherwise
  if (!says(after)) return shown
  const became = cellWords(after, times)
  if (says(before) && cellWords(before, times) === became) return shown
  return (
    <>
      {shown} <span className="arrow">→</span> {became.length > LONGEST_STRONG ? became : <strong>{became}</strong>}
    </>
  )
}

function WideRow({
  columns,
  width,
  cells,
  times,
}: Omit<ValueProps, 'column'> & { readonly columns: readonly Shown[]; readonly width: number }): ReactNode {
  const said = columns.filter(({ at }) => says(cells[at]))
  if (said.length === 0) return null
  return (
    <tr className="more">
      <td colSpan={width}>
        {each(said, ({ title, at }) => (
          <WideValue title={title} cell={cells[at]} times={times} />
        ))}
      </td>
    </tr>
  )
}

interface WideProps {
  readonly title: Column['title']
  readonly cell: Cell | undefined
  readonly times: ReportTimes
}

function WideValue({ title, cell, times }: WideProps): ReactNode {
  if (cell === undefined) return null
  const isList = cell.kind === 'list'
  return (
    <>
      <p>
        <span className="quiet">{title}:</span> {isList ? null : <CellView cell={cell} times={times} />}
      </p>
      {isList ? <CellView cell={cell} times={times} /> : null}
    </>
  )
}

/** A value as HTML shows it. */
function CellView({ cell, times }: { readonly cell: Cell; readonly times: ReportTimes }): ReactNode {
  switch (cell.kind) {
    case 'none':
      return <span className="quiet">{cell.words}</span>
    case 'time': {
      const { zoned, utc } = times.stamp(cell.at)
      return (
        <time dateTime={cell.at}>
          {zoned} {utc === null ? null : <span className="utc">{utc}</span>}
        </time>
      )
    }
    case 'text':
      if (cell.as === 'id') return <code>{cell.text}</code>
      if (cell.as === 'prose') return <span className="prose">{cell.text}</span>
      return cell.as === 'name' && cell.text.length <= LONGEST_UNBROKEN ? (
        <span className="nowrap">{cell.text}</span>
      ) : (
        cell.text
      )
    case 'code':
      return cell.tone === null ? cell.words : <Badge words={cell.words} tone={cell.tone} />
    case 'list':
      return (
        <ul>
          {each(cell.items, item => (
            <li>{item}</li>
          ))}
        </ul>
      )
    default:
      return cellWords(cell, times)
  }
}

/** A word that stands out by colour and by a frame. */
export function Badge({ words, tone }: { readonly words: string; readonly tone: Tone }): ReactNode {
  return <span className={`badge ${tone}`}>{words}</span>
}

interface FactsProps {
  readonly className: string
  readonly facts: readonly Fact[]
  readonly times: ReportTimes
}

/** Values with their names. */
export function Facts({ className, facts, times }: FactsProps): ReactNode {
  return (
    <dl className={className}>
      {facts.map(({ name, cell, note }) => (
        <div key={name} className={cell.kind === 'text' && cell.as === 'id' ? 'wide' : undefined}>
          <dt>{name}</dt>
          <dd>
            <CellView cell={cell} times={times} />
            {note === undefined ? null : note.kind === 'code' ? (
              <CellView cell={note} times={times} />
            ) : (
              <span className="quiet"> ({cellWords(note, times)})</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Draws each thing of a list. */
export function each<T>(things: readonly T[], draw: (thing: T) => ReactNode): readonly ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: a page is drawn once, and a report may say the same twice.
  return things.map((thing, index) => <Fragment key={index}>{draw(thing)}</Fragment>)
}
