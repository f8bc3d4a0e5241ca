import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type ServedContract, serveContract } from '../../../main/faces/serve/serve-contract.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { type Contract, type RequestName, requests } from '../../../shared/contract/index.ts'
import { PROGRAM_PATH, PROGRAM_PROTOCOL, PROGRAM_REQUESTS } from '../../../shared/contract/program.ts'
import { ok } from '../../../shared/domain/result.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

/** What a runner serves on its pod's loopback: for programs alone, and for reading alone. */

let served: ServedContract
const asked: string[] = []

beforeAll(async () => {
  const contract: Contract = {
    ask: async name => {
      asked.push(name)
      return ok([]) as never
    },
    listen: () => () => {},
  }
  served = valueIn(await serveContract({ contract, port: 0, log: silentLogger }))
})

afterAll(() => served.stop())

/** The status with which a WebSocket is refused; `open`: it is not. */
async function met(path: string, protocol: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${served.port}${path}`, protocol, { headers })
  const outcome = await new Promise<string>(resolve => {
    socket.on('open', () => resolve('open'))
    socket.on('unexpected-response', (_, answer) => resolve(String(answer.statusCode)))
    socket.on('error', error => resolve(error.message))
  })
  socket.on('error', () => {})
  socket.terminate()
  return outcome
}

/** What is answered to one request. */
async function answerTo(name: RequestName): Promise<unknown> {
  const socket = new WebSocket(`ws://127.0.0.1:${served.port}${PROGRAM_PATH}`, PROGRAM_PROTOCOL)
  await once(socket, 'open')
  const answer = new Promise<unknown>(resolve =>
    socket.on('message', data => {
      const message = JSON.parse(String(data)) as { readonly id?: number; readonly answer?: unknown }
      if (message.id === 1) resolve(message.answer)
    }),
  )
  socket.send(JSON.stringify({ id: 1, ask: name, input: {} }))
  const given = await answer
  socket.terminate()
  return given
}

describe('who gets access:', () => {
  test.each<[string, string, string, Record<string, string>, string]>([
    ['a program', PROGRAM_PATH, PROGRAM_PROTOCOL, {}, 'open'],
    ['a page of any origin', PROGRAM_PATH, PROGRAM_PROTOCOL, { origin: 'http://127.0.0.1' }, '403'],
    ['a browser without an origin', PROGRAM_PATH, PROGRAM_PROTOCOL, { 'sec-fetch-mode': 'websocket' }, '403'],
    ['a page’s own protocol', PROGRAM_PATH, 'lockkeeper.v1', {}, '400'],
    ['another path', '/socket', PROGRAM_PROTOCOL, {}, '404'],
  ])('%s', async (_, path, protocol, headers, expected) => {
    expect(await met(path, protocol, headers)).toBe(expected)
  })

  test('there is no page', async () => {
    const answer = await new Promise<number>(resolve =>
      request({ host: '127.0.0.1', port: served.port, path: '/' }, response => {
        response.resume()
        resolve(response.statusCode ?? 0)
      }).end(),
    )
    expect(answer).toBe(426)
  })
})

describe('what is answered:', () => {
  const names = Object.keys(requests) as RequestName[]
  const allowed = names.filter(name => PROGRAM_REQUESTS.has(name))

  test('a few requests, of which each only reads', () => {
    expect(allowed).toEqual(['run.list', 'attach.describe', 'attach.stretch'])
    expect(allowed.every(name => requests[name].effect === 'read')).toBe(true)
  })

  test.each(allowed)('%s is handed on', async name => {
    expect(await answerTo(name)).toMatchObject({ ok: true })
    expect(asked.at(-1)).toBe(name)
  })

  test.each(names.filter(name => !PROGRAM_REQUESTS.has(name)))('%s is refused before its input is read', async name => {
    const before = asked.length
    expect(await answerTo(name)).toMatchObject({ ok: false, failure: { code: 'not-permitted' } })
    expect(asked).toHaveLength(before)
  })
})
