import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { installCrashHandler } from '../../../../main/platform/log/crash.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { createRedactor } from '../../../../main/platform/log/redact.ts'
import { leakyObjects } from './corpus/objects.ts'
import { leaksIn } from './corpus/secrets.ts'

interface Crash {
  readonly source: EventEmitter
  readonly written: string[]
  readonly logged: unknown[]
  readonly exits: number[]
  readonly uninstall: () => void
}

function crash(): Crash {
  const source = new EventEmitter()
  const written: string[] = []
  const logged: unknown[] = []
  const exits: number[] = []
  const uninstall = installCrashHandler({
    log: { ...silentLogger, error: (message, fields) => logged.push([message, fields]) },
    write: text => written.push(text),
    redactor: createRedactor({ literals: ['my-literal-password'] }),
    source,
    exit: code => exits.push(code),
  })
  return { source, written, logged, exits, uninstall }
}

describe('a fault that reaches the top', () => {
  test.each(['uncaughtException', 'unhandledRejection'])('as %s is logged, printed and ends the process', event => {
    const { source, written, logged, exits } = crash()
    source.emit(event, new Error('broken invariant'))
    expect(logged).toHaveLength(1)
    expect(written.join('')).toMatch(/because of a bug[\s\S]*can resume them[\s\S]*Error: broken invariant\n\s+at /)
    expect(exits).toEqual([1])
  })

  test('never shows a secret of the corpus', async () => {
    for (const [, error] of await leakyObjects()) {
      const { source, written, exits } = crash()
      source.emit('unhandledRejection', error)
      expect(leaksIn(written.join(''))).toEqual([])
      expect(exits).toEqual([1])
    }
  })

  test('never shows a registered secret', () => {
    const { source, written } = crash()
    source.emit('uncaughtException', new Error('login with my-literal-password failed'))
    expect(written.join('')).not.toContain('my-literal')
  })

  test('may be anything that can be thrown', () => {
    for (const thrown of [undefined, null, 'text', 7, { code: 1 }]) {
      const { source, written, exits } = crash()
      source.emit('uncaughtException', thrown)
      expect(written).toHaveLength(1)
      expect(exits).toEqual([1])
    }
  })

  test('is printed once even when another follows', () => {
    const { source, written, exits } = crash()
    source.emit('uncaughtException', new Error('first'))
    source.emit('uncaughtException', new Error('second'))
    expect(written).toHaveLength(1)
    expect(exits).toEqual([1, 1])
  })

  test('is nobody’s business after the handler was taken away', () => {
    const { source, written, uninstall } = crash()
    uninstall()
    source.emit('uncaughtException', new Error('x'))
    expect(written).toEqual([])
  })
})

test('a real process dies with exit code 1 and without showing the properties of the error', async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('crashing-process.ts', import.meta.url))])
  let printed = ''
  child.stderr.on('data', chunk => (printed += chunk))
  child.stdout.on('data', chunk => (printed += chunk))
  const code = await new Promise(resolve => child.on('close', resolve))
  expect(code).toBe(1)
  expect(printed).toContain('request failed')
  expect(printed).not.toContain('0paque')
}, 30_000)
