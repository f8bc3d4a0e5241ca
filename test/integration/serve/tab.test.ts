import { tmpdir } from 'node:os'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type ServedConsole, serveConsole } from '../../../main/faces/serve/serve-console.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { openSocketContract } from '../../../renderer/bridge/socket.ts'
import { useConnection } from '../../../renderer/stores/connection.ts'
import type { Contract } from '../../../shared/contract/index.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

const contract: Contract = { ask: async () => ({ ok: true, value: [] }) as never, listen: () => () => {} }
const realFetch = fetch
let served: ServedConsole

beforeEach(async () => {
  const options = { contract, directory: tmpdir(), port: 0, alsoCalled: [], log: silentLogger }
  served = valueIn(await serveConsole(options))
})
afterEach(async () => {
  await served.stop()
})

/** The page's own code in a tab opened at an address: what a browser has of it, and sends of itself. */
function openTab(address: string, kept: Map<string, string>) {
  const { origin, pathname, search } = new URL(address)
  const location = { origin, pathname, search, hash: '' }
  class Socket extends WebSocket {
    constructor(to: string, protocols: string[]) {
      super(to, protocols, { origin })
      this.on('error', () => {})
    }
  }
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) =>
    realFetch(origin + path, { ...init, headers: { ...(init.headers as object), origin } }),
  )
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal(
    'window',
    Object.assign(new EventTarget(), {
      setTimeout,
      clearTimeout,
      location,
      history: {
        replaceState: (_: unknown, __: string, to: string) => Object.assign(location, { pathname: to, search: '' }),
      },
      sessionStorage: {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => kept.set(key, value),
      },
    }),
  )
  useConnection.setState({ connection: { kind: 'connecting' } })
  return { location, contract: openSocketContract(`${origin.replace('http', 'ws')}/socket`) }
}
const status = () => useConnection.getState().connection.kind

test('a tab opened at the printed address has access, keeps its key over a reload, and no other tab has it', async () => {
  const address = served.freshAddress()
  const kept = new Map<string, string>()
  const tab = openTab(address, kept)
  expect(await tab.contract.ask('cluster.list', {})).toEqual({ ok: true, value: [] })
  expect(status()).toBe('connected')
  expect(tab.location).toMatchObject({ pathname: '/', search: '' })

  const reloaded = openTab(new URL('/', address).href, kept)
  expect(await reloaded.contract.ask('cluster.list', {})).toEqual({ ok: true, value: [] })

  const unknownNode = openTab(new URL('/', address).href, new Map())
  expect(await unknownNode.contract.ask('cluster.list', {})).toMatchObject({ ok: false })
  expect(status()).toBe('not-let-in')

  const second = openTab(address, new Map())
  expect(await second.contract.ask('cluster.list', {})).toMatchObject({ ok: false, failure: { retryable: false } })
  expect(status()).toBe('not-let-in')
})
