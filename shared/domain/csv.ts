import { visibleText } from './visible-text.ts'

/** RFC 4180. A cell that a spreadsheet would read as a formula gets a leading apostrophe (OWASP, CSV injection). */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map(row => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const seen = visibleText(value)
  const plain = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\n]/.test(seen) ? `'${seen}` : seen
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
