import { describe, expect, test } from 'vitest'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'

/** A console that counts its addresses and its stops. */
function served(opensBrowser = false) {
  let addresses = 0
  const seen = { opened: [] as string[], stopped: 0 }
  const console = ok({
    port: 4242,
    freshAddress: () => {
      addresses += 1
      return `http://127.0.0.1:4242/enter?token=t${addresses}`
    },
    openBrowser: async (address: string) => {
      seen.opened.push(address)
      return opensBrowser
    },
    stop: async () => {
      seen.stopped += 1
    },
  })
  return { console, seen }
}

describe('serve', () => {
  test('prints where the console is, and stops it on Ctrl-C', async () => {
    const { console, seen } = served()
    const terminal = createFakeTerminal({ console })
    const running = terminal.run('serve', '--demo', '--port', '4242')
    await terminal.printed('token=t1')
    terminal.press('SIGINT')
    expect(await running).toBe(0)
    expect(terminal.served).toEqual([{ dataDirectory: null, demo: true, port: 4242, alsoCalled: [] }])
    expect(terminal.all()).toContain('The console and its demo clouds stopped.')
    expect(seen).toEqual({ opened: ['http://127.0.0.1:4242/enter?token=t1'], stopped: 1 })
  })

  test('opens no browser when asked not to, and says so when it did', async () => {
    const quiet = served(true)
    const first = createFakeTerminal({ console: quiet.console })
    const running = first.run('serve', '--no-open')
    await first.printed('Open the console:')
    first.press('SIGTERM')
    await running
    expect(quiet.seen.opened).toEqual([])
    const opening = createFakeTerminal({ console: served(true).console })
    const second = opening.run('serve')
    await opening.printed('The console opens in your browser.')
    opening.press('SIGTERM')
    await second
  })

  test('prints a fresh address for every Enter of somebody at a terminal', async () => {
    const terminal = createFakeTerminal({ console: served().console, tty: true })
    const running = terminal.run('serve')
    await terminal.printed('Enter prints a new one')
    await terminal.type('')
    await terminal.printed('token=t2')
    await terminal.type('')
    await terminal.printed('token=t3')
    terminal.press('SIGINT')
    expect(await running).toBe(0)
  })

  test('tells a script where it is in JSON', async () => {
    const terminal = createFakeTerminal({ console: served().console })
    const running = terminal.run('serve', '-o', 'json')
    await terminal.printed('token=t1')
    terminal.press('SIGTERM')
    await running
    expect(terminal.json()).toEqual({ url: 'http://127.0.0.1:4242/enter?token=t1', port: 4242, pid: 4711 })
  })

  test('says why it cannot be served', async () => {
    const terminal = createFakeTerminal({
      console: failed(failure('conflict', 'Port 4242 is in use. Choose another with --port.')),
    })
    expect(await terminal.run('serve', '--port', '4242')).toBe(1)
    expect(terminal.err()).toContain('Port 4242 is in use.')
  })
})
