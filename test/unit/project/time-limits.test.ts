import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const HOUSE = join(import.meta.dirname, '../../..')
/** Most waits end within seconds: a longer limit needs a reason. */
const NEEDS_NO_REASON_MS = 30_000

/** A limit as it is written: a number of milliseconds, or of seconds or minutes. */
const LIMIT = String.raw`(?:(?<unit>seconds|minutes)\()?(?<count>\d[\d_]*)\)?(?<more> [*+] [^,)]*)?`
const FORMS: readonly RegExp[] = [
  // An assertion, a wait, a test or a whole suite.
  new RegExp(String.raw`\b(?:timeout|testTimeout|hookTimeout): ${LIMIT}`, 'g'),
  // A test or a hook, after its function.
  new RegExp(String.raw`^\s*\}, ${LIMIT}\)$`, 'gm'),
  new RegExp(String.raw`^\s+${LIMIT},\n\s*\)$`, 'gm'),
  // A wait for one of several states.
  new RegExp(String.raw`\], ${LIMIT}\)`, 'g'),
  new RegExp(String.raw`\bwithinMs = ${LIMIT}`, 'gi'),
]
const UNITS_MS: Readonly<Record<string, number>> = { seconds: 1_000, minutes: 60_000 }

/** The lines that have a longer limit and no comment on them or right before them. */
function withoutReason(source: string): readonly number[] {
  const lines = source.split('\n')
  const hasComment = (line: number) => /\/\/|\*\//.test(lines[line] ?? '')
  return FORMS.flatMap(form => [...source.matchAll(form)]).flatMap(({ 0: text, index, groups }) => {
    const written = Number(groups?.count?.replaceAll('_', '')) * (UNITS_MS[groups?.unit ?? ''] ?? 1)
    // A computed limit may have any length.
    const ms = groups?.more === undefined ? written : Number.POSITIVE_INFINITY
    // A match that begins with a line's indentation may begin at the end of the line before.
    const line = source.slice(0, index + text.search(/\S/)).split('\n').length - 1
    return ms <= NEEDS_NO_REASON_MS || hasComment(line) || hasComment(line - 1) ? [] : [line + 1]
  })
}

test.each([
  ['it(1, () => {\n}, 30_000)', []],
  ['it(1, () => {\n}, 30_001)', [2]],
  ['it(1, () => {\n  // A Lease runs out.\n}, 90_000)', []],
  ['it.each(x)(\n  1,\n  () => {},\n  60_000,\n)', [4]],
  ['it.each(x)(\n  1,\n  () => {},\n  minutes(2),\n)', [4]],
  ['it.each(x)(\n  1,\n  () => {},\n  9_000 + KILLS * 30_000,\n)', [4]],
  ['const rows = [\n  60_000,\n]', []],
  ['expect(a).toBeVisible({ timeout: 60_000 })', [1]],
  ['/** A whole run. */\nconst LONG = { timeout: 60_000 }', []],
  ["until('x', ['Done'], 120_000)", [1]],
  ['(name, withinMs = 60_000) => {', [1]],
  ['limits: { drainTimeoutMs: 60_000 }', []],
] as const)('finds a longer limit without a reason: %j', (source, lines) => {
  expect(withoutReason(source)).toEqual(lines)
})

test('every time limit of a test over 30 s has its reason beside it', () => {
  // The lab runs at the pace of real systems and has its own limits.
  const files = globSync(['test/**/*.{ts,tsx}', 'vitest.config.ts'], { cwd: HOUSE, exclude: ['test/lab/**'] })
  expect(files.length).toBeGreaterThan(400)
  const own = 'test/unit/project/time-limits.test.ts'
  const bare = files
    .filter(file => file !== own)
    .flatMap(file => withoutReason(readFileSync(join(HOUSE, file), 'utf8')).map(line => `${file}:${line}`))
  expect(bare).toEqual([])
})
