import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { countsOf } from '../../levels/counts.ts'
import { LEVELS, leftOut } from '../../levels/levels.ts'

const HOUSE = resolve(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-levels-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the counts of a stage', () => {
  const vitest = (passed: number, failed: number) => ({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: 1,
    testResults: [{ name: '/a/test/unit/a.test.ts', assertionResults: [{ fullName: 'a rule', duration: 1500 }] }],
  })
  const spec = { title: 'a task', tests: [{ projectName: 'serve', results: [{ duration: 2000 }] }] }
  const playwright = {
    stats: { expected: 2, unexpected: 1, flaky: 1, skipped: 0 },
    suites: [{ title: 'a', specs: [spec] }],
  }

  test.each([
    ['a command that ends well is one test', 'one-check', null, 0, { passed: 1, failed: 0 }],
    ['a command that fails is one failed test', 'one-check', null, 2, { passed: 0, failed: 1 }],
    ['tests are counted by their report', 'vitest', vitest(3, 0), 0, { passed: 3, failed: 0, skipped: 1 }],
    ['so are failed ones', 'vitest', vitest(3, 2), 1, { passed: 3, failed: 2 }],
    ['a file that does not load is a failed test', 'vitest', vitest(3, 0), 1, { passed: 3, failed: 1 }],
    ['a run without a test is a failed test', 'vitest', vitest(0, 0), 0, { passed: 0, failed: 1 }],
    ['a run without a report is a failed test', 'playwright', null, 0, { passed: 0, failed: 1 }],
    [
      'a screen that passes only when it is tried again has failed',
      'playwright',
      playwright,
      0,
      { passed: 2, failed: 2 },
    ],
  ] as const)('%s', (_, counting, report, code, expected) => {
    const path = join(folder, 'report.json')
    rmSync(path, { force: true })
    if (report !== null) writeFileSync(path, JSON.stringify(report))
    expect(countsOf(counting, path, code)).toMatchObject(expected)
  })

  test('name the slowest tests', () => {
    const path = join(folder, 'slow.json')
    writeFileSync(path, JSON.stringify(vitest(1, 0)))
    expect(countsOf('vitest', path, 0).slowest).toEqual([{ name: 'test/unit/a.test.ts: a rule', seconds: 1.5 }])
    writeFileSync(path, JSON.stringify(playwright))
    expect(countsOf('playwright', path, 1).slowest).toEqual([{ name: 'serve, a: a task', seconds: 2 }])
  })
})

describe('the quick level', () => {
  test.each([
    ['screens', 12],
    ['journeys', 4],
  ])('runs about as many %s as planned: %i', (room, about) => {
    const files = globSync(`test/e2e/${room}/*.spec.ts`, { cwd: HOUSE }).map(file =>
      readFileSync(join(HOUSE, file), 'utf8'),
    )
    const tagged = files.flatMap(text => text.match(/ @core\b/g) ?? []).length
    expect(Math.abs(tagged - about)).toBeLessThanOrEqual(about / 4)
  })
})

describe.each(Object.entries(LEVELS))('level %s', (_, level) => {
  const { stages, command, leavesOut } = level

  // Vitest runs the named files that it finds and silently skips the others.
  test('names test files that exist', () => {
    const files = stages.flatMap(stage => stage.command.filter(word => word.endsWith('.ts')))
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter(file => !existsSync(join(HOUSE, file)))).toEqual([])
  })

  test('has every stage that another one needs', () => {
    const names = stages.map(({ name }) => name)
    expect(stages.flatMap(({ needs = [] }) => needs).filter(name => !names.includes(name))).toEqual([])
  })

  test('names each stage that a shorter run leaves out, with the command of the level', () => {
    const names = stages.map(({ name }) => name)
    expect(leftOut(level, names)).toEqual(leavesOut)
    const [first = '', ...others] = names
    expect(leftOut(level, others)).toEqual([`the stages ${first}: ${command}`, ...leavesOut])
  })
})
