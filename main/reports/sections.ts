import type { Cell } from './cells.ts'

/** A part of a report under its heading: data that HTML and Markdown print. */
export interface Section {
  readonly id: string
  readonly title: string
  /** Its number of entries, for the contents; null if not useful. */
  readonly amount: number | null
  readonly parts: readonly Part[]
}

/** `prose`: a person wrote it, its lines are kept; `command`: to be copied into a terminal. */
type TextStyle = 'plain' | 'quiet' | 'prose' | 'alarm' | 'command'

export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly as: TextStyle }
  | { readonly kind: 'list'; readonly title: string; readonly items: readonly string[] }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'table'; readonly table: Table }

/** A value with its name. `note`: an addition, shown as a badge if it has a tone. */
export interface Fact {
  readonly name: string
  readonly cell: Cell
  readonly note?: Cell
}

export interface Table {
  /** The heading above it; empty if the section's heading suffices. */
  readonly title: string
  readonly caption: string
  readonly columns: readonly Column[]
  readonly groups: readonly Group[]
}

interface Column {
  /** The column's heading in a CSV, which programs read. */
  readonly name: string
  readonly title: string
  readonly isKey?: boolean
  /** For lack of room, HTML shows the value below the value of the column with this name. */
  readonly under?: string
  /** The later value of the column with this name: HTML shows both with an arrow. */
  readonly after?: string
  /** HTML gives it a full-width line below its row. */
  readonly isWide?: boolean
}

interface Group {
  readonly title: string
  /** HTML sorts them under the values of this column; `noun`: what each row is. */
  readonly by?: { readonly column: string; readonly noun: string }
  readonly rows: readonly Row[]
}

interface Row {
  readonly cells: readonly Cell[]
  readonly isQuiet: boolean
}

export interface ColumnOf<T> extends Column {
  readonly cell: (of: T) => Cell
}

/** A column by its name for programs, its title for people, and its values. */
export function col<T>(name: string, title: string, cell: (of: T) => Cell, place: Place = {}): ColumnOf<T> {
  return { name, title, cell, ...place }
}

type Place = Pick<Column, 'isKey' | 'under' | 'after' | 'isWide'>

export const KEY: Place = { isKey: true }
export const WIDE: Place = { isWide: true }

interface TableOf<T> extends Pick<Table, 'caption'> {
  readonly title?: string
  readonly columns: readonly ColumnOf<T>[]
  readonly groups: readonly { readonly title?: string; readonly by?: Group['by']; readonly of: readonly T[] }[]
  readonly isQuiet?: (of: T) => boolean
}

/** A table of these columns; empty groups are omitted. */
export function tableOf<T>({ title = '', caption, columns, groups, isQuiet = () => false }: TableOf<T>): Table {
  return {
    title,
    caption,
    columns: columns.map(({ cell: _, ...column }) => column),
    groups: groups
      .filter(({ of }) => of.length > 0)
      .map(group => ({
        title: group.title ?? '',
        ...(group.by === undefined ? {} : { by: group.by }),
        rows: group.of.map(each => ({ cells: columns.map(({ cell }) => cell(each)), isQuiet: isQuiet(each) })),
      })),
  }
}

interface TableSectionOf<T> extends Pick<Section, 'id' | 'title'> {
  readonly amount?: number | null
  readonly intro?: string
  readonly columns: readonly ColumnOf<T>[]
  readonly of: readonly T[]
  readonly isQuiet?: (of: T) => boolean
}

export function tableSection<T>({ id, title, intro = '', of, ...more }: TableSectionOf<T>): Section {
  const { amount = of.length, columns, isQuiet = () => false } = more
  const table = tableOf({ caption: title, columns, groups: [{ of }], isQuiet })
  return { id, title, amount, parts: partsOf(words(intro, 'quiet'), table) }
}

export function partsOf(...parts: readonly (Part | Table)[]): readonly Part[] {
  return parts.map((part): Part => ('kind' in part ? part : { kind: 'table', table: part })).filter(hasContent)
}

function hasContent(part: Part): boolean {
  switch (part.kind) {
    case 'text':
      return part.text !== ''
    case 'list':
      return part.items.length > 0
    case 'facts':
      return part.facts.length > 0
    case 'table':
      return part.table.groups.length > 0
  }
}

export function words(text: string, as: TextStyle = 'plain'): Part {
  return { kind: 'text', text, as }
}

/** The columns with something to read in any row, with the index of their cells. The key column always counts. */
export function shownColumns(
  { columns }: Table,
  { rows }: Pick<Group, 'rows'>,
): readonly (Column & { readonly at: number })[] {
  return columns
    .map((column, at) => ({ ...column, at }))
    .filter(({ isKey, at }) => isKey === true || rows.some(({ cells }) => says(cells[at])))
}

export function says(cell: Cell | undefined): cell is Cell {
  return cell !== undefined && !('words' in cell && cell.words === '')
}

/** Two tables with the same rows, side by side: CSV has room for all columns. */
export function sideBySide(left: Table, right: Table): Table {
  const added = right.columns.flatMap(({ isKey }, at) => (isKey === true ? [] : [at]))
  const more = right.groups.flatMap(({ rows }) => rows)
  const rows = left.groups.flatMap(group => group.rows)
  const own = <T>(cells: readonly T[]) => cells.filter((_, at) => added.includes(at))
  return {
    ...left,
    columns: [...left.columns, ...own(right.columns)],
    groups: [
      { title: '', rows: rows.map((row, at) => ({ ...row, cells: [...row.cells, ...own(more[at]?.cells ?? [])] })) },
    ],
  }
}
