import { describe, expect, it } from 'vitest'
import { nearestWord } from '../../../../main/faces/cli/arguments/nearest-word.ts'
import { parseDuration } from '../../../../main/faces/cli/arguments/parse-duration.ts'
import { cleanDeep, cleanText, oneLine } from '../../../../main/faces/cli/words/clean-text.ts'
import { jsonText } from '../../../../main/faces/cli/words/json-text.ts'
import { type Look, lookOf } from '../../../../main/faces/cli/words/look.ts'
import { renderTable } from '../../../../main/faces/cli/words/table.ts'
import { hang, shorten, widthOf, wrap } from '../../../../main/faces/cli/words/width.ts'
import { counted, listed } from '../../../../shared/grammar/counts.ts'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'

const ESC = '\u001b'
const look = (more: { tty?: boolean; columns?: number; env?: Record<string, string>; noColor?: boolean } = {}): Look =>
  lookOf({ isTTY: more.tty ?? false, columns: more.columns ?? 80 }, more.env ?? { LANG: 'C.UTF-8', TERM: 'xterm' }, {
    noColor: more.noColor ?? false,
    clock: 'utc',
  })

describe('a length of time that was typed', () => {
  it.each([
    ['0', 0],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['1h30m', 5_400_000],
    ['2h', 7_200_000],
    ['1h1m1s', 3_661_000],
    ['30', null],
    ['', null],
    ['m', null],
    ['-5m', null],
    ['1.5h', null],
    ['5m1h', null],
  ])('the duration %s means %s ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })
})

describe('nearest word', () => {
  const words = ['concurrency', 'scope', 'drain-timeout', 'yes', 'force', 'attempts']
  it.each([
    ['concurency', 'concurrency'],
    ['conc', 'concurrency'],
    ['socpe', 'scope'],
    ['timeout', 'drain-timeout'],
    ['forse', 'force'],
    ['yse', 'yes'],
    ['frobnicate', null],
    ['x', null],
    ['', null],
  ])('%s means %s', (typed, word) => {
    expect(nearestWord(typed, words)).toBe(word)
  })
})

describe('text from outside', () => {
  it('has control characters and what changes its direction written out', () => {
    expect(cleanText(`a${ESC}[31mred${ESC}[0m\u0007b`)).toBe('a\\u{1b}[31mred\\u{1b}[0m\\u{7}b')
    expect(cleanText(`${ESC}]0;title\u0007x`)).toBe('\\u{1b}]0;title\\u{7}x')
    expect(cleanText('\u009b2Jx')).toBe('\\u{9b}2Jx')
    expect(cleanText(`end${ESC}`)).toBe('end\\u{1b}')
    expect(cleanText('vm\u202egnp')).toBe('vm\\u{202e}gnp')
  })

  it('keeps line breaks, tabs and every language', () => {
    expect(cleanText('a\n\tb é ü 中')).toBe('a\n\tb é ü 中')
  })

  it('is one line where one line is meant', () => {
    expect(oneLine(' a\n  b\r\nc ')).toBe('a b c')
  })

  it('is cleaned inside values, keys included', () => {
    expect(cleanDeep({ [`k${ESC}`]: [`v${ESC}`, 1, null, true] })).toEqual({
      'k\\u{1b}': ['v\\u{1b}', 1, null, true],
    })
  })

  it('is escaped in JSON and still the same value', () => {
    const value = { name: `x${ESC}[31m\u009b\u202e\u2028` }
    const text = jsonText(value)
    expect(text).not.toMatch(/[\u001b\u007f-\u009f\u202e\u2028]/)
    expect(JSON.parse(text)).toEqual(value)
  })
})

describe('words', () => {
  it('counts with the right noun and lists in a sentence', () => {
    expect(counted(1, 'pod')).toBe('1 pod')
    expect(counted(0, 'pod')).toBe('0 pods')
    expect(counted(2, 'stays', 'stay')).toBe('2 stay')
    expect(listed([])).toBe('')
    expect(listed(['a'])).toBe('a')
    expect(listed(['a', 'b', 'c'])).toBe('a, b and c')
  })

  it.each([
    ['cmp-1', 'cmp-1'],
    ['/tmp/a b', "'/tmp/a b'"],
    ["it's", `'it'\\''s'`],
    ['', "''"],
    ['$(x)', "'$(x)'"],
  ])('%s is taken literally by a shell as %s', (text, word) => {
    expect(shellWord(text)).toBe(word)
  })
})

describe('the look of a channel', () => {
  it.each([
    [{ tty: true }, true],
    [{ tty: false }, false],
    [{ tty: true, noColor: true }, false],
    [{ tty: true, env: { NO_COLOR: '1', TERM: 'xterm' } }, false],
    [{ tty: true, env: { NO_COLOR: '', TERM: 'xterm' } }, true],
    [{ tty: true, env: { TERM: 'dumb' } }, false],
  ])('%j may use escape sequences: %s', (more, ansi) => {
    expect(look(more).ansi).toBe(ansi)
    expect(look(more).palette.bad('x') === 'x').toBe(!ansi)
  })

  it.each([
    [{ LANG: 'en_US.UTF-8' }, '✓'],
    [{ LANG: 'C.utf8' }, '✓'],
    [{ LANG: 'C' }, '+'],
    [{}, '+'],
    [{ LC_ALL: 'C', LANG: 'en_US.UTF-8' }, '+'],
    [{ LC_ALL: '', LC_CTYPE: 'de_DE.UTF-8' }, '✓'],
  ])('the locale %j shows %s', (env, sign) => {
    expect(look({ env }).symbols.ok).toBe(sign)
  })

  it('has no width where nobody looks at one', () => {
    expect(look({ tty: false }).columns).toBeNull()
    expect(look({ tty: true, columns: 120 }).columns).toBe(120)
  })
})

describe('widths', () => {
  it('colours take no column', () => {
    expect(widthOf(`${ESC}[31mabc${ESC}[0m`)).toBe(3)
  })

  it('a text is wrapped at spaces, and a word that is too long is cut', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
    expect(wrap('one two', null)).toEqual(['one two'])
    expect(wrap('', 10)).toEqual([''])
  })

  it('wrapped lines hang below the text, not below the sign', () => {
    expect(hang('! ', 'aaaa bbbb cccc dddd eeee ffff', 24)).toEqual(['! aaaa bbbb cccc dddd', '  eeee ffff'])
  })

  it('a shortened text ends in the ellipsis and fits', () => {
    expect(shorten('abcdef', 4, '…')).toBe('abc…')
    expect(shorten('abcdef', 4, '...')).toBe('a...')
    expect(shorten('abc', 4, '…')).toBe('abc')
  })
})

describe('tables', () => {
  const rows = [
    ['short', 'a reason that is rather long and goes on for a while'],
    ['a-name-that-is-quite-long-itself', 'x'],
  ]

  it('nothing is shortened or wrapped in a pipe', () => {
    const lines = renderTable(['NAME', 'WHY'], rows, look())
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain('goes on for a while')
  })

  it('columns line up', () => {
    const [head, first] = renderTable(['NAME', 'WHY'], rows, look())
    expect(head?.indexOf('WHY')).toBe(first?.indexOf('a reason'))
  })

  it('on a terminal every line fits: the last column wraps, others are shortened', () => {
    const lines = renderTable(
      ['NAME', 'WHY'],
      rows,
      look({ tty: true, columns: 44, env: { NO_COLOR: '1', LANG: 'C.UTF-8' } }),
    )
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(44)
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain('goes on for a while')
    expect(lines.length).toBeGreaterThan(3)
  })

  it('a line break in a cell does not break the table', () => {
    expect(renderTable(['A', 'B'], [['one\ntwo', 'x']], look())).toHaveLength(2)
  })
})
