import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createShellCommands } from '../../../../main/adapters/commands/shell-commands.ts'
import { systemClock } from '../../../../main/clock/clock.ts'
import type { CommandStanding } from '../../../../main/ports/commands.ts'
import { until, value } from '../../../contract/target.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-commands-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const commands = () => createShellCommands(join(folder, 'commands'), systemClock)

async function end(id: string): Promise<CommandStanding> {
  return until('the command is over', async () => {
    const standing = value(await commands().look(id))
    return standing.kind === 'runs' ? null : standing
  })
}

test('a command runs once, by the shell, and another console learns how it ended', async () => {
  const command = 'echo "work on $NODE_NAME" && echo done >>"$COUNT"; exit 7'
  const environment = { NODE_NAME: 'cmp-1', COUNT: join(folder, 'count') }
  const { output } = value(await commands().start('one', command, environment))
  expect(await end('one')).toEqual({ kind: 'ended', code: 7 })
  value(await commands().start('one', command, environment))
  expect(await end('one')).toEqual({ kind: 'ended', code: 7 })
  expect(readFileSync(environment.COUNT, 'utf8')).toBe('done\n')
  expect(readFileSync(output, 'utf8')).toBe('work on cmp-1\n')
  expect(statSync(output).mode & 0o077, 'only this user reads what it prints').toBe(0)
})

test('while it runs it is said to run; one whose end nobody kept is lost', async () => {
  const { output } = value(
    await commands().start('two', 'while [ ! -e "$STOP" ]; do sleep 0.1; done', { STOP: join(folder, 'stop') }),
  )
  await until('its shell shows', async () => {
    try {
      return readFileSync(join(output, '../pid'), 'utf8')
    } catch {
      return null
    }
  })
  expect(value(await commands().look('two'))).toEqual({ kind: 'runs' })
  process.kill(Number(readFileSync(join(output, '../pid'), 'utf8')), 'SIGKILL')
  expect(await end('two')).toEqual({ kind: 'lost' })
  writeFileSync(join(folder, 'stop'), '')
})

test('a number that another process has by now is not taken for the command', async () => {
  const { output } = value(await commands().start('three', 'true', {}))
  await end('three')
  rmSync(join(output, '../exit'))
  writeFileSync(join(output, '../pid'), `${process.pid}\n`)
  expect(value(await commands().look('three'))).toEqual({ kind: 'lost' })
})

test('a place that cannot be written is said, and nothing is started', async () => {
  writeFileSync(join(folder, 'commands'), '')
  expect(await commands().start('four', 'true', {})).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
})
