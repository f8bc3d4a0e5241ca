import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serveHealth } from '../../../../main/wings/runner/process/health-server.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { askRunner } from '../../../fixtures/runner/runner-clouds.ts'

let server: { readonly port: number; stop(): Promise<void> }
const sockets: Socket[] = []

beforeEach(async () => {
  server = valueIn(
    await serveHealth(0, {
      notLive: () => [],
      notReady: () => ['It is waiting for the API server.'],
      metrics: { contentType: 'text/plain', text: async () => 'a 1\n', received: () => {}, asked: () => {} },
    }),
  )
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.stop()
})

/** A connection that says this much and then nothing; resolves when it is open. */
async function silent(words = ''): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  await new Promise<void>(resolve => socket.once('connect', () => resolve()))
  if (words !== '') socket.write(words)
  return socket
}

describe('the runner reports its health', () => {
  it('while any number of connections say nothing', async () => {
    for (let count = 0; count < 200; count += 1)
      await silent(count % 2 === 0 ? '' : 'GET /livez HTTP/1.1\r\nHost: x\r\n')
    expect(await askRunner(server.port, '/livez')).toEqual({ status: 200, text: 'ok\n' })
    expect(await askRunner(server.port, '/readyz')).toMatchObject({ status: 503 })
  })

  // Nothing is asserted about how long that takes but the limit of a test: a busy machine closes them later.
  it('and connections that say nothing, stop within their headers or never send the body that they announced are closed', async () => {
    const sockets = await Promise.all(
      ['', 'GET /livez HTTP/1.1\r\nHost: x\r\n', 'GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n'].map(
        silent,
      ),
    )
    const closed = sockets.map(socket => new Promise(resolve => socket.resume().once('close', resolve)))
    await Promise.all(closed)
    expect(sockets.map(socket => socket.destroyed)).toEqual([true, true, true])
  })
})
