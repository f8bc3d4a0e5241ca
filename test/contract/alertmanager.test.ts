import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { createAlertmanagerPort } from '../../main/wings/notify/alertmanager/alertmanager-port.ts'
import { failureIn } from '../fixtures/clusters/results.ts'
import { startFakeAlertmanager } from '../fixtures/signals/fake-alertmanager.ts'
import { alertmanagerContract } from './alertmanager-contract.ts'

let fake: Awaited<ReturnType<typeof startFakeAlertmanager>>
beforeAll(async () => {
  fake = await startFakeAlertmanager(systemClock)
})
afterAll(() => fake.stop())

const port = () =>
  createAlertmanagerPort(
    { url: fake.url, authorization: 'Bearer t0ken', ca: null },
    { clock: systemClock, environment: {} },
  )

describe('the stand-in for Alertmanager', () => alertmanagerContract(port))

describe('a malformed answer', () => {
  test.each([
    ['a login page', { status: 200, body: '<html>' }, 'unreadable'],
    ['cut JSON', { status: 200, body: '{"silenceID"' }, 'unreadable'],
    ['no id', { status: 200, body: '{}' }, 'unreadable'],
    ['a refusal of the login', { status: 401, body: '' }, 'unauthenticated'],
    ['a fault', { status: 500, body: 'oops' }, 'server-fault'],
    ['another address', { status: 302, body: '' }, 'bad-input'],
    ['a page of an ingress without this path', { status: 404, body: '<html>' }, 'not-found'],
    ['an empty 404 where no Alertmanager answers at all', { status: 404, body: '' }, 'not-found'],
  ])('%s is a failure, never a silence', async (_, trouble, code) => {
    fake.state.trouble = trouble
    try {
      const wanted = { id: null, matchers: [], startsAt: '', endsAt: '', createdBy: '', comment: '' }
      expect(failureIn(await port().keep(wanted))).toMatchObject({ code })
      expect((await port().look('x')).ok).toBe(false)
    } finally {
      fake.state.trouble = null
    }
  })

  test('the request contains the login, a failure does not', async () => {
    await port().version()
    expect(fake.state.authorization).toBe('Bearer t0ken')
    fake.state.trouble = { status: 403, body: 'Bearer t0ken' }
    const failure = failureIn(await port().version())
    fake.state.trouble = null
    expect(JSON.stringify(failure)).not.toContain('t0ken')
  })
})
