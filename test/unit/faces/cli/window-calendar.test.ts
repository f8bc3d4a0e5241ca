import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { sampleWindow } from '../../../fixtures/cli/sample-window.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-ics-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function console() {
  return createFakeContract({
    'cluster.list': () => ok([{ name: 'lab' } as never]),
    'window.list': () =>
      ok([sampleWindow({ id: 'one', plan: { kind: 'open' } }), sampleWindow({ id: 'two', plan: { kind: 'open' } })]),
    'window.show': ({ id }) =>
      id === 'on' ? ok(sampleWindow({ id: 'one' })) : failed(failure('not-found', 'no such window')),
  })
}

test.each<[string[], string[], unknown]>([
  [[], ['one', 'two'], { cluster: null }],
  [['lab'], ['one', 'two'], { cluster: 'lab' }],
  [['on'], ['one'], undefined],
])('window calendar %j writes these windows', async (words, ids, input) => {
  const fake = console()
  const terminal = createFakeTerminal({ contract: fake.contract })
  expect(await terminal.run('window', 'calendar', ...words)).toBe(0)
  expect([...terminal.out().matchAll(/^UID:(.*)@lockkeeper\r$/gm)].map(([, id]) => id)).toEqual(ids)
  expect(fake.inputsOf('window.list')[0]).toEqual(input)
})

test('a name that is neither a cloud nor a window is reported, and nothing is written', async () => {
  const terminal = createFakeTerminal({ contract: console().contract })
  expect(await terminal.run('window', 'calendar', 'nowhere')).toBe(1)
  expect(terminal.out()).toBe('')
})

test('a file is for this user only, and an existing one stays without --force', async () => {
  const path = join(directory, 'lab.ics')
  expect(await createFakeTerminal({ contract: console().contract }).run('window', 'calendar', '-o', path)).toBe(0)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readFileSync(path, 'utf8')).toMatch(/^BEGIN:VCALENDAR\r\n/)
  writeFileSync(path, 'mine')
  expect(await createFakeTerminal({ contract: console().contract }).run('window', 'calendar', '-o', path)).not.toBe(0)
  expect(readFileSync(path, 'utf8')).toBe('mine')
  expect(
    await createFakeTerminal({ contract: console().contract }).run('window', 'calendar', '-o', path, '--force'),
  ).toBe(0)
})

test('window feed makes the secret at first use, renews it and ends it', async () => {
  const secrets = { kept: null as string | null, made: 0 }
  const calendarFeed = {
    secret: () => ok(secrets.kept),
    renew: () => {
      secrets.made += 1
      secrets.kept = `secret-${secrets.made}`
      return ok(secrets.kept)
    },
    stop: () => {
      secrets.kept = null
      return ok(undefined)
    },
  }
  const run = async (...words: string[]) => {
    const terminal = createFakeTerminal({ contract: console().contract, calendarFeed })
    await terminal.run('window', 'feed', ...words)
    return terminal.out()
  }
  expect(await run('--port', '8080')).toContain('http://127.0.0.1:8080/calendar/secret-1.ics')
  expect(await run()).toContain('http://127.0.0.1:PORT/calendar/secret-1.ics')
  expect(await run('--renew')).toContain('secret-2')
  expect(await run('--off')).not.toContain('secret')
  expect(secrets).toEqual({ kept: null, made: 2 })
})
