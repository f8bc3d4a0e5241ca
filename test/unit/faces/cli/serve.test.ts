import { describe, expect, test } from 'vitest'
import type { DemoState } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'

/** A console that counts its addresses and its stops. */
function served(opensBrowser = false, played: readonly DemoState['history'][] = []) {
  let addresses = 0
  const seen = { opened: [] as string[], stopped: 0, unheard: 0 }
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
    onDemo: (listener: (demo: DemoState) => void) => {
      for (const history of played) listener({ troubles: [], history })
      return () => {
        seen.unheard += 1
      }
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
    const demoWish = { troubles: [], update: false }
    expect(terminal.served).toEqual([{ dataDirectory: null, demo: true, demoWish, port: 4242, alsoCalled: [] }])
    expect(terminal.all()).toContain('The console and its demo clouds stopped.')
    expect(seen).toEqual({ opened: ['http://127.0.0.1:4242/enter?token=t1'], stopped: 1, unheard: 1 })
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

  test('gives the demo its troubles and its update', async () => {
    const terminal = createFakeTerminal({ console: served().console })
    const running = terminal.run('serve', '--demo', '--trouble', 'stuck', '--trouble', 'ceph', '--update')
    await terminal.printed('token=t1')
    terminal.press('SIGINT')
    await running
    expect(terminal.served[0]?.demoWish).toEqual({ troubles: ['stuck', 'ceph'], update: true })
  })

  test.each([['--trouble', 'stuck'], ['--update']])('refuses %s to real clouds', async (...words) => {
    const terminal = createFakeTerminal({ console: served().console })
    expect(await terminal.run('serve', ...words)).toBe(2)
    expect(terminal.err()).toContain(`${words[0]} needs --demo`)
    expect(terminal.served).toEqual([])
  })

  test.each([
    [
      true,
      '\r\x1b[KPreparing history: 0 of 7 runs\r\x1b[KPreparing history: 3 of 7 runs\r\x1b[KThe history is ready.\n',
    ],
    [false, 'Preparing history: 0 of 7 runs\nThe history is ready.\n'],
  ])('shows how far the history of the demo is; at a terminal: %s', async (tty, expected) => {
    const played = [{ played: 0, of: 7 }, { played: 3, of: 7 }, null]
    const terminal = createFakeTerminal({ console: served(false, played).console, tty })
    const running = terminal.run('serve', '--demo')
    await terminal.printed('The history is ready.')
    terminal.press('SIGINT')
    await running
    expect(terminal.out()).toContain(expected)
  })

  test('says why it cannot be served', async () => {
    const terminal = createFakeTerminal({
      console: failed(failure('conflict', 'Port 4242 is in use. Choose another with --port.')),
    })
    expect(await terminal.run('serve', '--port', '4242')).toBe(1)
    expect(terminal.err()).toContain('Port 4242 is in use.')
  })
})
