import type { Look } from './look.ts'
import type { Paint } from './palette.ts'
import { shorten, widthOf, wrap } from './width.ts'

/** A cell: text that is painted after it was fitted. */
export type Cell = string | { readonly text: string; readonly paint: Paint }

const GAP = '  '
const LEAST_COLUMN = 8
const LEAST_LAST_COLUMN = 24

/** A table with headings. On a terminal it fits the width: the last column wraps, then the widest others are shortened. In a pipe each row is one line. */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  look: Look,
  indent = '',
): readonly string[] {
  const widths = fittingWidths(
    naturalWidths(headings, rows),
    look.columns === null ? null : look.columns - indent.length,
  )
  const head = line(
    headings.map(text => ({ text, paint: look.palette.faint })),
    widths,
    look,
  )
  return [...head, ...rows.flatMap(row => line(row, widths, look))].map(text => (indent + text).trimEnd())
}

function naturalWidths(headings: readonly string[], rows: readonly (readonly Cell[])[]): number[] {
  return headings.map((heading, column) =>
    Math.max(widthOf(heading), ...rows.map(row => widthOf(textOf(row[column] ?? '')))),
  )
}

function fittingWidths(natural: readonly number[], columns: number | null): readonly number[] {
  if (columns === null) return natural
  const widths = [...natural]
  const last = widths.length - 1
  const excess = () => widths.reduce((sum, width) => sum + width, 0) + GAP.length * last - columns
  const lastWidth = widths[last] ?? 0
  if (excess() > 0) widths[last] = Math.max(Math.min(lastWidth, LEAST_LAST_COLUMN), lastWidth - excess())
  while (excess() > 0) {
    const widest = widths.reduce((best, width, index) => (width > (widths[best] ?? 0) ? index : best), 0)
    const width = widths[widest] ?? 0
    if (width <= LEAST_COLUMN) break
    widths[widest] = width - 1
  }
  return widths
}

function line(row: readonly Cell[], widths: readonly number[], look: Look): readonly string[] {
  const last = widths.length - 1
  const wrapped = wrapLast(textOf(row[last] ?? ''), widths[last] ?? 0, look)
  return wrapped.map((tail, index) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? ''
        const text = column === last ? tail : index === 0 ? shorten(textOf(cell), width, look.symbols.ellipsis) : ''
        const padding = ' '.repeat(Math.max(0, width - widthOf(text)))
        return paintOf(cell)(text) + padding
      })
      .join(GAP)
      .trimEnd(),
  )
}

function wrapLast(text: string, width: number, look: Look): readonly string[] {
  return look.columns === null ? [text] : wrap(text, Math.max(1, width))
}

function textOf(cell: Cell): string {
  return (typeof cell === 'string' ? cell : cell.text).replace(/\s+/g, ' ').trim()
}

function paintOf(cell: Cell): Paint {
  return typeof cell === 'string' ? text => text : cell.paint
}
