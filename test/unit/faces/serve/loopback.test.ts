import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { serveConsole } from '../../../../main/faces/serve/serve-console.ts'
import { serveContract } from '../../../../main/faces/serve/serve-contract.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import type { Contract } from '../../../../shared/contract/index.ts'

const contract: Contract = {
  ask: async () => ({ ok: false, failure: { code: 'internal', message: 'not asked here', retryable: false } }),
  listen: () => () => {},
}

/** Whether something listens at this address of this machine. */
function listens(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, host, () => resolve(true))
    socket.on('error', () => resolve(false)).once('connect', () => socket.destroy())
  })
}

const SERVED = {
  console: () => serveConsole({ contract, directory: '/nowhere', port: 0, alsoCalled: [], log: silentLogger }),
  contract: () => serveContract({ contract, port: 0, log: silentLogger }),
}

// 127.0.0.2 is this machine too: who listens on all addresses is reached there, as from a network.
test.each(['console', 'contract'] as const)(
  'a served %s is reached at 127.0.0.1 and at no other address',
  async what => {
    const served = await SERVED[what]()
    if (!served.ok) throw new Error(served.failure.message)
    expect(await listens('127.0.0.1', served.value.port)).toBe(true)
    expect(await listens('127.0.0.2', served.value.port)).toBe(false)
    await served.value.stop()
  },
)
