import { Fragment, type ReactNode } from 'react'
import { counted } from '../../shared/grammar/counts.ts'
import type { Tone } from '../../shared/words/report-outcomes.ts'
import { type Cell, cellWords, isFigure } from './cells.ts'
import { type Fact, type Part, type Section, says, shownColumns, type Table } from './sections.ts'
import type { ReportTimes } from './times.ts'

/** A name of at most this many letters stays on one line; a longer one may be broken. */
const LONGEST_UNBROKEN = 26
/** A sentence in bold is harder to read. */
const LONGEST_STRONG = 40

type Shown = ReturnType<typeof shownColumns>[number]
type Group = Table['groups'][number]
type Cells = Group['rows'][number]['cells']

/** A column in HTML, with the columns whose values are shown below or, after an arrow, beside its own. */
interface DrawnColumn {
  readonly main: Shown
  readonly after: Shown | undefined
  readonly under: readonly DrawnColumn[]
  readonly isFigure: boolean
}

export function pageSection(id: string, title: string, ...children: readonly ReactNode[]): ReactNode {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {each(children, child => child)}
    </section>
  )
}

/** Takes rows that are drawn later, and returns a placeholder for them. */
export type DrawLater = (rows: () => ReactNode) => ReactNode

/** A section of the report; an empty one says so. */
export function sectionHtml({ id, title, parts, nothing }: Section, times: ReportTimes, later: DrawLater): ReactNode {
  if (parts.length === 0) return pageSection(id, title, <p className="nothing">{nothing}</p>)
  return pageSection(id, title, ...parts.map(part => partHtml(part, times, later)))
}

function partHtml(part: Part, times: ReportTimes, later: DrawLater): ReactNode {
  switch (part.kind) {
    case 'text':
      return textHtml(part)
    case 'list':
      return (
        <>
          {part.title === '' ? null : <p>{part.title}</p>}
          {linesHtml(part.items)}
        </>
      )
    case 'facts':
      return factsHtml('facts hashes', part.facts, times)
    case 'table':
      return (
        <>
          {part.table.title === '' ? null : <h3>{part.table.title}</h3>}
          {each(part.table.groups, group => (
            <>
              {group.title === '' ? null : <h3>{group.title}</h3>}
              {groupHtml(part.table, group, times, later)}
            </>
          ))}
        </>
      )
  }
}

function textHtml({ text, as }: Extract<Part, { kind: 'text' }>): ReactNode {
  if (as === 'command')
    return (
      <p>
        <code>{text}</code>
      </p>
    )
  if (as === 'alarm')
    return (
      <p className="banner alarm">
        <strong>{text}</strong>
      </p>
    )
  return <p className={as === 'plain' ? undefined : as}>{text}</p>
}

export function linesHtml(lines: readonly string[]): ReactNode {
  return (
    <ul className="lines">
      {each(lines, line => (
        <li>{line}</li>
      ))}
    </ul>
  )
}

/** The rows of a group. Each printed page repeats the head; in a narrow window the table scrolls, not the page. */
function groupHtml(table: Table, group: Group, times: ReportTimes, later: DrawLater): ReactNode {
  const shown = shownColumns(table, group).filter(({ name }) => name !== group.by?.column)
  const isWide = ({ isWide: is }: Shown) => is === true
  const columns = drawnColumns(
    shown.filter(column => !isWide(column)),
    group,
  )
  const by = table.columns.findIndex(({ name }) => name === group.by?.column)
  const bodies = Map.groupBy(group.rows, ({ cells }) => wordsAt(cells, by, times))
  const caption = group.title === '' ? table.caption : `${table.caption}: ${group.title}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys (WCAG 2.1.1).
    <section className="scroll" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>{each(columns, headHtml)}</tr>
        </thead>
        {each([...bodies], ([title, rows]) => (
          <tbody>
            {title === '' ? null : (
              <tr className="group">
                <th scope="rowgroup" colSpan={columns.length}>
                  {title} <span className="quiet">{counted(rows.length, group.by?.noun ?? 'row')}</span>
                </th>
              </tr>
            )}
            {each(chunksOf(rows), chunk =>
              later(() =>
                each(chunk, ({ cells, isQuiet }) => (
                  <>
                    <tr className={isQuiet ? 'quiet' : undefined}>
                      {each(columns, column => valueHtml(column, cells, times))}
                    </tr>
                    {wideHtml(shown.filter(isWide), columns.length, cells, times)}
                  </>
                )),
              ),
            )}
          </tbody>
        ))}
      </table>
    </section>
  )
}

/** Drawing this many rows takes some milliseconds. */
const ROWS_AT_ONCE = 40

function chunksOf<T>(rows: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, at) =>
    rows.slice(at * ROWS_AT_ONCE, (at + 1) * ROWS_AT_ONCE),
  )
}

function wordsAt(cells: Cells, at: number, times: ReportTimes): string {
  const cell = cells[at]
  return cell === undefined ? '' : cellWords(cell, times)
}

function drawnColumns(shown: readonly Shown[], { rows }: Group): readonly DrawnColumn[] {
  const has = (name: string | undefined) => name !== undefined && shown.some(column => column.name === name)
  const drawn = (main: Shown): DrawnColumn => ({
    main,
    after: shown.find(({ after }) => after === main.name),
    under: shown.filter(({ under }) => under === main.name).map(drawn),
    isFigure: rows.some(({ cells }) => isFigure(cells[main.at])),
  })
  return shown.filter(({ under, after }) => !has(under) && !has(after)).map(drawn)
}

function headHtml(column: DrawnColumn): ReactNode {
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

function valueHtml(column: DrawnColumn, cells: Cells, times: ReportTimes): ReactNode {
  const inner = (
    <>
      {changeHtml(column, cells, times, '–')}
      {each(column.under, under => belowHtml(under, cells, times))}
    </>
  )
  if (column.main.isKey === true) return <th scope="row">{inner}</th>
  return <td className={column.isFigure ? 'figure' : undefined}>{inner}</td>
}

/** A value below another one, with its label if needed. */
function belowHtml(column: DrawnColumn, cells: Cells, times: ReportTimes): ReactNode {
  const cell = cells[column.main.at]
  if (!says(cell)) return null
  const isPlain = cell.kind === 'text' && cell.as !== 'name'
  return (
    <span className={isPlain ? 'below quiet' : 'below'}>
      {isPlain || cell.kind === 'code' ? '' : `${column.main.title}: `}
      {changeHtml(column, cells, times, '')}
    </span>
  )
}

/** A value before and after; only one if they are equal. */
function changeHtml({ main, after }: DrawnColumn, cells: Cells, times: ReportTimes, otherwise: string): ReactNode {
  const before = cells[main.at]
  const became = after === undefined ? undefined : cells[after.at]
  const shown = says(before) ? cellHtml(before, times) : otherwise
  if (!says(became)) return shown
  const words = cellWords(became, times)
  if (says(before) && cellWords(before, times) === words) return shown
  return (
    <>
      {shown} <span className="arrow">→</span> {words.length > LONGEST_STRONG ? words : <strong>{words}</strong>}
    </>
  )
}

function wideHtml(columns: readonly Shown[], width: number, cells: Cells, times: ReportTimes): ReactNode {
  const said = columns.flatMap(({ title, at }) => {
    const cell = cells[at]
    return says(cell) ? [{ title, cell }] : []
  })
  if (said.length === 0) return null
  return (
    <tr className="more">
      <td colSpan={width}>
        {each(said, ({ title, cell }) => (
          <>
            <p>
              <span className="quiet">{title}:</span> {cell.kind === 'list' ? null : cellHtml(cell, times)}
            </p>
            {cell.kind === 'list' ? cellHtml(cell, times) : null}
          </>
        ))}
      </td>
    </tr>
  )
}

function cellHtml(cell: Cell, times: ReportTimes): ReactNode {
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
      if (cell.as === 'name' && cell.text.length <= LONGEST_UNBROKEN) return <span className="nowrap">{cell.text}</span>
      return cell.text
    case 'code':
      return cell.tone === null ? cell.words : badge(cell.words, cell.tone)
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

export function badge(words: string, tone: Tone): ReactNode {
  return <span className={`badge ${tone}`}>{words}</span>
}

export function factsHtml(className: string, facts: readonly Fact[], times: ReportTimes): ReactNode {
  return (
    <dl className={className}>
      {each(facts, ({ name, cell, note }) => (
        <div className={cell.kind === 'text' && cell.as === 'id' ? 'wide' : undefined}>
          <dt>{name}</dt>
          <dd>
            {cellHtml(cell, times)}
            {note?.kind === 'code' ? cellHtml(note, times) : null}
            {note?.kind === 'text' ? <span className="quiet"> ({note.text})</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function each<T>(things: readonly T[], draw: (thing: T) => ReactNode): readonly ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: a page is drawn once, and a report may say the same twice.
  return things.map((thing, index) => <Fragment key={index}>{draw(thing)}</Fragment>)
}
