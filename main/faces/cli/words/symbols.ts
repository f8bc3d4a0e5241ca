/** The symbols at the start of lines. All symbols of one set have the same width. */
export interface Symbols {
  readonly ok: string
  readonly warning: string
  readonly blocked: string
  readonly running: string
  readonly pending: string
  readonly arrow: string
  readonly ellipsis: string
  readonly separator: string
}

const UNICODE: Symbols = {
  ok: '✓',
  warning: '!',
  blocked: '✗',
  running: '▸',
  pending: '·',
  arrow: '→',
  ellipsis: '…',
  separator: '·',
}

const ASCII: Symbols = {
  ok: '+',
  warning: '!',
  blocked: 'x',
  running: '>',
  pending: '.',
  arrow: '->',
  ellipsis: '...',
  separator: '-',
}

/** The signs for this locale: the first of LC_ALL, LC_CTYPE, LANG that is set decides, as in the C library. */
export function symbolsFor(env: Readonly<Record<string, string | undefined>>): Symbols {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find(value => value !== undefined && value !== '') ?? ''
  return /utf-?8/i.test(locale) ? UNICODE : ASCII
}
