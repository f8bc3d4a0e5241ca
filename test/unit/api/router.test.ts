import { expect, test } from 'vitest'
import { createEvents } from '../../../main/api/events.ts'
import { createRouter, type Handlers } from '../../../main/api/serve.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import type { RequestName } from '../../../shared/contract/index.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { ok } from '../../../shared/domain/result.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

/** A router whose handlers only tell that they were asked. */
function router(refused: (name: RequestName) => boolean = () => false) {
  const asked: string[] = []
  const handlers = new Proxy({} as Handlers, {
    get: (_, name) => async () => {
      asked.push(String(name))
      return ok([])
    },
  })
  const refusal = failure('damaged', 'The journal is open for reading only.')
  const contract = createRouter(handlers, createEvents(silentLogger), createVirtualClock(), silentLogger, name =>
    refused(name) ? refusal : null,
  )
  return { contract, asked }
}

test('what is refused just now reaches no handler', async () => {
  const { contract, asked } = router(name => name === 'run.start')
  expect(await contract.ask('run.start', { planId: 'p' })).toMatchObject({ ok: false, failure: { code: 'damaged' } })
  expect(asked).toEqual([])
  expect((await contract.ask('cluster.list', {})).ok).toBe(true)
  expect(asked).toEqual(['cluster.list'])
})

test('an input that does not fit reaches no handler, and what is in it does not come back', async () => {
  const { contract, asked } = router()
  const answer = await contract.ask('run.start', { planId: 'p', 's3cr3t-key': 's3cr3t' } as never)
  expect(answer).toMatchObject({ ok: false, failure: { code: 'bad-input' } })
  expect(JSON.stringify(answer)).not.toContain('s3cr3t')
  expect(asked).toEqual([])
})

test('a request that belongs to a part which this build leaves out is refused with what is missing', async () => {
  const contract = createRouter({}, createEvents(silentLogger), createVirtualClock(), silentLogger)
  expect(await contract.ask('runner.list', { cluster: null })).toMatchObject({
    ok: false,
    failure: { code: 'not-found', reason: 'PartLeftOut', values: { what: 'runner.list' } },
  })
})

test('other listeners receive an event although one crashes', async () => {
  const events = createEvents(silentLogger)
  const contract = createRouter({}, events, createVirtualClock(), silentLogger)
  const received: string[] = []
  contract.listen('cluster.changed', () => {
    throw new Error('a fault of this listener')
  })
  const stop = contract.listen('cluster.changed', () => received.push('second'))
  events.emit('cluster.changed', {})
  stop()
  events.emit('cluster.changed', {})
  expect(received).toEqual(['second'])
})

test('a name that every object has is not a request', async () => {
  const { contract, asked } = router()
  expect(await contract.ask('constructor' as never, {} as never)).toMatchObject({ failure: { code: 'bad-input' } })
  expect(asked).toEqual([])
})
