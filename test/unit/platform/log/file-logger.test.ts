import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../../../main/platform/clock/clock.ts'
import { createFileLogger, type FileLogger, type FileLoggerOptions } from '../../../../main/platform/log/file-logger.ts'
import { createRedactor } from '../../../../main/platform/log/redact.ts'
import { leakyObjects } from './corpus/objects.ts'
import { leaksIn } from './corpus/secrets.ts'
import { LEAKY_TEXTS } from './corpus/texts.ts'

let directory: string
let now: number
let open: FileLogger[]
const clock: Clock = { now: () => now, monotonicMs: () => 0, sleep: async () => {}, random: () => 0.5 }

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-log-'))
  now = Date.parse('2026-03-04T23:59:58.000Z')
  open = []
})
afterEach(() => {
  for (const logger of open) logger.close()
  rmSync(directory, { recursive: true })
})

function logger(options: Partial<FileLoggerOptions> = {}): FileLogger {
  const made = createFileLogger({ directory, clock, level: 'debug', ...options })
  open.push(made)
  return made
}

function linesOf(name = 'lockkeeper-2026-03-04.log'): readonly Record<string, unknown>[] {
  const text = readFileSync(join(directory, name), 'utf8')
  expect(text).toMatch(/\n$/)
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}

describe('the log file', () => {
  test('has one line of JSON per entry: time, level, area, message, fields', () => {
    const log = logger()
    log.child('kubernetes').child('watch').info('live\nagain', { node: 'cmp-1', tries: 2 })
    log.error('stopped')
    expect(linesOf()).toEqual([
      {
        time: '2026-03-04T23:59:58.000Z',
        level: 'info',
        area: 'kubernetes.watch',
        message: 'live\nagain',
        fields: { node: 'cmp-1', tries: 2 },
      },
      { time: '2026-03-04T23:59:58.000Z', level: 'error', area: 'main', message: 'stopped' },
    ])
  })

  test('holds an entry before the call returns', () => {
    const log = logger()
    log.warn('one')
    expect(linesOf()).toHaveLength(1)
    log.warn('two')
    expect(linesOf()).toHaveLength(2)
  })

  test('is readable by the operator only, also when it was there before', () => {
    const path = join(directory, 'lockkeeper-2026-03-04.log')
    writeFileSync(path, '', { mode: 0o644 })
    chmodSync(path, 0o644)
    logger().info('x')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('leaves out what is louder than its level', () => {
    const log = logger({ level: 'warn' })
    log.error('e')
    log.warn('w')
    log.info('i')
    log.debug('d')
    expect(linesOf().map(line => line.message)).toEqual(['e', 'w'])
  })

  test('begins again each day', () => {
    const log = logger()
    log.info('late')
    now += 2_000
    log.info('early')
    expect(linesOf().map(line => line.message)).toEqual(['late'])
    expect(linesOf('lockkeeper-2026-03-05.log').map(line => line.message)).toEqual(['early'])
  })

  test('is kept for 14 days of use, and files of others stay', () => {
    for (let day = 10; day < 30; day += 1) writeFileSync(join(directory, `lockkeeper-2026-01-${day}.log`), 'old\n')
    writeFileSync(join(directory, 'lockkeeper-notes.log'), 'mine\n')
    logger().info('x')
    const names = readdirSync(directory)
    expect(names).toContain('lockkeeper-notes.log')
    expect(names.filter(name => /\d/.test(name))).toHaveLength(14)
    expect(names).toContain('lockkeeper-2026-01-17.log')
    expect(names).not.toContain('lockkeeper-2026-01-16.log')
  })

  test('is appended to by two loggers at once without loss', () => {
    const [one, two] = [logger(), logger()]
    for (let round = 0; round < 50; round += 1) {
      one.info('one')
      two.info('two')
    }
    expect(linesOf()).toHaveLength(100)
  })

  test('never holds a secret of the corpus', async () => {
    const log = logger({ redactor: createRedactor({ literals: ['my-literal-password'] }) })
    for (const [from, text] of LEAKY_TEXTS) log.error(`${from}: ${text}`, { text, [text]: 1 })
    for (const [from, error] of await leakyObjects()) log.error(from, { error, list: [error], from })
    log.info('said my-literal-password', { said: 'my-literal-password' })
    const text = readFileSync(join(directory, 'lockkeeper-2026-03-04.log'), 'utf8')
    expect(leaksIn(text)).toEqual([])
    expect(text).not.toContain('my-literal')
    expect(linesOf().length).toBeGreaterThan(LEAKY_TEXTS.length)
  })

  test('keeps a line of bounded length', () => {
    logger().info('big', { big: Array.from({ length: 100 }, () => 'word '.repeat(3_000)) })
    const [line] = linesOf()
    expect(line?.fields).toMatch(/characters left out/)
  })
})

describe('a logger never throws', () => {
  test('when its directory cannot be made, and says later how much was lost', () => {
    const blocked = join(directory, 'file')
    writeFileSync(blocked, '')
    const log = logger({ directory: join(blocked, 'logs') })
    log.error('lost')
    log.error('lost too')
    rmSync(blocked)
    log.error('back')
    const text = readFileSync(join(blocked, 'logs', 'lockkeeper-2026-03-04.log'), 'utf8')
    expect(text).toContain('2 log entries before this one could not be written')
    expect(text).toContain('back')
  })

  test('when its file is a link to somewhere else: it does not follow it', () => {
    const elsewhere = join(directory, 'elsewhere')
    writeFileSync(elsewhere, 'precious')
    symlinkSync(elsewhere, join(directory, 'lockkeeper-2026-03-04.log'))
    logger().error('x')
    expect(readFileSync(elsewhere, 'utf8')).toBe('precious')
  })

  test('when the clock or the terminal is broken', () => {
    const log = logger({
      console: () => {
        throw new Error('closed')
      },
    })
    log.info('written')
    now = Number.NaN
    log.info('no time')
    expect(linesOf()).toHaveLength(1)
  })

  test('after it was closed', () => {
    const log = logger()
    log.info('x')
    log.close()
    log.info('y')
    log.close()
    expect(linesOf()).toHaveLength(1)
  })
})

test('the console gets every line, without secrets', () => {
  const lines: string[] = []
  const log = logger({ console: line => lines.push(line) })
  log.info('with password=abcdefgh12')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('[redacted]')
})
