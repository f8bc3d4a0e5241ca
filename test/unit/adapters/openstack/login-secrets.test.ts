import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openOpenStackSession } from '../../../../main/adapters/openstack/keystone-session.ts'
import {
  createKeptLog,
  createTestClock,
  type FixtureCloud,
  openFixtureCloud,
  PASSWORD,
  type TestClock,
} from './fixture-cloud.ts'

const TOKENS = '/identity/v3/auth/tokens'
const REPEATED = `no login with ${PASSWORD} here`

let clock: TestClock
let fixture: FixtureCloud

beforeEach(async () => {
  clock = createTestClock()
  fixture = await openFixtureCloud(clock)
})

afterEach(async () => fixture.close())

test.each([
  ['refuses the login', 401, { error: { code: 401, title: 'Unauthorized', message: REPEATED } }],
  ['forbids it', 403, { error: { code: 403, title: 'Forbidden', message: REPEATED } }],
  ['finds it odd', 400, { error: { code: 400, title: 'Bad Request', message: REPEATED } }],
  ['is broken', 500, { error: { code: 500, title: 'Internal', message: REPEATED } }],
  ['comes from a page in between, not from Keystone', 200, `<html>${REPEATED}</html>`],
  ['is a proxy that wants a login', 401, REPEATED],
])(
  'a server that repeats the password when it %s does not get it into the failure or the log',
  async (_, status, body) => {
    const log = createKeptLog()
    fixture.on('POST', TOKENS, () => ({ status, body }))
    const session = await openOpenStackSession({ cloud: fixture.cloud, clock, log, environment: {} })
    const seen = inspect([session, log.entries], { depth: null, maxStringLength: null })
    expect(session.ok).toBe(false)
    // The server's words are quoted without their secrets.
    expect(seen).toContain('no login with [redacted] here')
    expect(seen).not.toContain(PASSWORD)
  },
)

test('a server that repeats the password as the type of its page does not get it into the failure', async () => {
  fixture.on('POST', TOKENS, () => ({ status: 200, body: '<html>', headers: { 'content-type': PASSWORD } }))
  const session = await openOpenStackSession({ cloud: fixture.cloud, clock, log: createKeptLog(), environment: {} })
  expect(session).toMatchObject({ ok: false, failure: { reason: 'NotKeystone' } })
  expect(JSON.stringify(session)).not.toContain(PASSWORD)
})
