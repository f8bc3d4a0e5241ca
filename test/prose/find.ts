import { type Pattern, PROSE } from './pattern.ts'
import { PATTERNS } from './patterns.ts'
import { type Piece, piecesOf } from './pieces.ts'

/** One place that breaks a rule of language. */
export interface Finding {
  readonly line: number
  /** The words as they are written. */
  readonly words: string
  readonly instead: string
}

const COMPILED = PATTERNS.map(pattern => ({ pattern, regex: regexOf(pattern) }))

/** Before a line that quotes others, such as another program or an earlier version. It must give a reason. */
const IGNORE = /(?:\/\/|#|<!--) prose-ignore: \S/

/** What the patterns find in a file, by line. */
export function findingsOf(file: string, source: string): readonly Finding[] {
  const found: (Finding & { readonly place: number })[] = []
  for (const piece of piecesOf(file, source)) {
    for (const { pattern, regex } of COMPILED) {
      for (const { 0: match, index } of matchesIn(piece, pattern, regex)) {
        const place = piece.kind === 'name' ? piece.start : piece.start + index + match.search(/\w/)
        found.push({ place, line: 0, words: match.replace(/\s+/g, ' ').trim(), instead: pattern.instead })
      }
    }
  }
  found.sort((a, b) => a.place - b.place)
  let line = 1
  let counted = 0
  const withLines = found.map(({ place, words, instead }) => {
    for (; counted < place; counted++) if (source[counted] === '\n') line++
    return { line, words, instead }
  })
  const lines = source.split('\n')
  return withLines.filter(finding => !isIgnored(lines, finding.line))
}

/** Whether the comment lines right before a line exempt it. */
function isIgnored(lines: readonly string[], line: number): boolean {
  for (let at = line - 2; /^\s*(?:\/\/|#|<!--)/.test(lines[at] ?? ''); at--)
    if (IGNORE.test(lines[at] ?? '')) return true
  return false
}

/** Where a pattern is found in a piece. */
export function matchesIn(piece: Piece, pattern: Pattern, regex: RegExp = regexOf(pattern)): RegExpExecArray[] {
  return (pattern.kinds ?? PROSE).includes(piece.kind) ? [...piece.text.matchAll(regex)] : []
}

function regexOf({ find }: Pattern): RegExp {
  return new RegExp(find.replaceAll(' ', String.raw`\s+`), 'gi')
}
