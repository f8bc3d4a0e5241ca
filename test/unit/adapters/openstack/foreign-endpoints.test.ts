import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ForeignEndpoint, foreignEndpoint } from '../../../../main/adapters/openstack/catalogue.ts'
import { openOpenStackSession } from '../../../../main/adapters/openstack/keystone-session.ts'
import type { ResolvedCloud } from '../../../../main/adapters/openstack/resolved-cloud.ts'
import { askedByTest } from '../../../fixtures/asked-by-test.ts'
import { createKeptLog, createTestClock, type FixtureCloud, openFixtureCloud, portOf } from './fixture-cloud.ts'

const clock = createTestClock()
let fixture: FixtureCloud
const closing: (() => unknown)[] = []
const SERVICES = { method: 'GET', path: '/os-services', call: askedByTest('list the compute services') } as const

beforeEach(async () => {
  fixture = await openFixtureCloud(clock)
  fixture.on('GET', '/compute/v2.1/os-services', () => ({ status: 200, body: { services: [] } }))
})

afterEach(async () => {
  for (const close of closing.splice(0)) close()
  await fixture.close()
})

describe('where a token may go (docs/decisions/0024)', () => {
  /** Another loopback host that notes every token it is sent. */
  async function openElsewhere(host: string) {
    const tokens: (string | string[] | undefined)[] = []
    const server = createServer((request, response) => {
      tokens.push(request.headers['x-auth-token'])
      const version = request.headers['openstack-api-version']
      response.writeHead(200, version === undefined ? {} : { 'openstack-api-version': version })
      response.end(JSON.stringify({ version: { version: '2.93' }, services: [] }))
    })
    await new Promise<void>(resolve => server.listen(0, host, resolve))
    closing.push(() => server.close())
    return { url: `http://${host}:${portOf(server)}`, tokens }
  }
  const listing = (url: string) => [{ type: 'compute', endpoints: [{ interface: 'public', url: `${url}/v2.1` }] }]
  async function open(isAgreed?: (endpoint: ForeignEndpoint) => boolean, changes: Partial<ResolvedCloud> = {}) {
    const opened = await openOpenStackSession({
      cloud: { ...fixture.cloud, ...changes },
      clock,
      log: createKeptLog(),
      environment: {},
      ...(isAgreed === undefined ? {} : { isAgreed }),
    })
    if (!opened.ok) throw new Error(opened.failure.message)
    closing.push(opened.value.close)
    return opened.value
  }

  test('not to another host, unless the operator agreed to exactly that one', async () => {
    const elsewhere = await openElsewhere('127.0.0.2')
    fixture.catalogue = listing(elsewhere.url)
    const keystone = new URL(fixture.url).origin
    const opened = await open()
    expect(opened.foreignEndpoints()).toEqual([{ service: 'compute', origin: elsewhere.url, keystone }])
    const refused = await opened.request('compute', SERVICES)
    expect(refused).toMatchObject({ ok: false, failure: { code: 'not-consented', retryable: false } })
    for (const word of ['Nova', elsewhere.url, keystone, 'cluster consent', 'compute_endpoint_override'])
      expect(refused.ok ? '' : refused.failure.message).toContain(word)
    expect(elsewhere.tokens).toEqual([])
    const agreed = await open(({ origin }) => origin === elsewhere.url)
    expect((await agreed.request('compute', SERVICES)).ok).toBe(true)
    expect(elsewhere.tokens.length).toBeGreaterThan(0)
  })

  test('not where the catalogue of a renewed token moved the service to', async () => {
    const elsewhere = await openElsewhere('127.0.0.2')
    const opened = await open()
    expect((await opened.request('compute', SERVICES)).ok).toBe(true)
    fixture.catalogue = listing(elsewhere.url)
    fixture.revoke(fixture.tokens[0] ?? '')
    expect(await opened.request('compute', SERVICES)).toMatchObject({ failure: { code: 'not-consented' } })
    expect(elsewhere.tokens).toEqual([])
  })

  test('where clouds.yaml itself says so it goes, without a question', async () => {
    const elsewhere = await openElsewhere('127.0.0.2')
    const opened = await open(undefined, { endpointOverrides: { compute: elsewhere.url } })
    expect(opened.foreignEndpoints()).toEqual([])
    expect((await opened.request('compute', SERVICES)).ok).toBe(true)
  })

  test.each([
    ['http://a.example:8774/v2.1', 'https://a.example:5000/v3', true],
    ['https://a.example:8774/v2.1', 'http://a.example:5000/v3', false],
    ['https://A.EXAMPLE/compute', 'https://a.example:5000/v3', false],
    ['https://a.example.evil/compute', 'https://a.example/v3', true],
    ['https://a.example@evil.example/', 'https://a.example/v3', true],
    ['https://127.0.0.1/', 'https://localhost/v3', true],
    ['https://a.example./', 'https://a.example/v3', true],
  ])('%s, seen from %s: foreign is %s', (address, keystone, isForeign) => {
    expect(foreignEndpoint('compute', address, keystone, { endpointOverrides: {} }) !== null).toBe(isForeign)
  })
})
