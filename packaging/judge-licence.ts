/** What may be done with a package under its licence: taken into a bundle, kept as a file that can be exchanged, or not shipped. */
type LicenceVerdict =
  | { readonly kind: 'fits' }
  /** Weak copyleft: in a separate file, which users may replace. */
  | { readonly kind: 'replaceable' }
  | { readonly kind: 'unfit'; readonly why: string }

/** Licences that ask for no more than their text and their notices. OFL-1.1 is one of fonts. */
const FIT: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
  'Zlib',
])

const REPLACEABLE: ReadonlySet<string> = new Set(['LGPL-3.0', 'LGPL-3.0-only', 'LGPL-3.0-or-later'])

/** Judges an SPDX expression: of a choice the best counts, of a sum the worst. An unknown licence is unfit. */
export function judgeLicence(expression: string | null): LicenceVerdict {
  if (expression === null || expression.trim() === '') return { kind: 'unfit', why: 'it names no licence' }
  const text = expression.trim()
  const choices = split(text, 'OR')
  if (choices.length > 1)
    return choices.map(judgeLicence).reduce((one, other) => (rank(one) <= rank(other) ? one : other))
  const parts = split(text, 'AND')
  if (parts.length > 1) return parts.map(judgeLicence).reduce((one, other) => (rank(one) >= rank(other) ? one : other))
  const inner = /^\((.*)\)$/s.exec(text)?.[1]
  if (inner !== undefined) return judgeLicence(inner)
  if (FIT.has(text)) return { kind: 'fits' }
  if (REPLACEABLE.has(text)) return { kind: 'replaceable' }
  return { kind: 'unfit', why: `${text} is not among the licences that may be shipped` }
}

function rank(verdict: LicenceVerdict): number {
  return ['fits', 'replaceable', 'unfit'].indexOf(verdict.kind)
}

/** Cuts an expression at a word outside all brackets. */
function split(expression: string, word: 'OR' | 'AND'): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let part: string[] = []
  for (const token of expression.split(/(\s+|[()])/)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (depth === 0 && token === word) {
      parts.push(part.join('').trim())
      part = []
    } else part.push(token)
  }
  return [...parts, part.join('').trim()]
}
