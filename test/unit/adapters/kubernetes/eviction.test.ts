import { afterEach, describe, expect, test } from 'vitest'
import { discoverEviction, removePod, sightingOf } from '../../../../main/adapters/kubernetes/eviction.ts'
import type { EvictionAnswer } from '../../../../shared/domain/kubernetes.ts'
import { type FakeAnswer, type FakeApi, startFakeApi, status } from '../../../fixtures/kubernetes/fake-api.ts'

const POD = { namespace: 'ns', name: 'p', uid: 'u-1' }
const apis: FakeApi[] = []

afterEach(async () => {
  for (const api of apis.splice(0)) await api.close()
})

async function attempt(
  answer: FakeAnswer,
  more: {
    readonly version?: 'policy/v1' | 'policy/v1beta1' | null
    readonly grace?: number
    readonly dryRun?: boolean
  } = {},
): Promise<{ readonly answer: EvictionAnswer; readonly requests: FakeApi['requests'] }> {
  const api = await startFakeApi(() => answer)
  apis.push(api)
  const result = await removePod(await api.session(), {
    pod: POD,
    version: more.version === undefined ? 'policy/v1' : more.version,
    gracePeriodSeconds: more.grace ?? -1,
    dryRun: more.dryRun ?? false,
  })
  return { answer: result, requests: api.requests }
}

describe('5.3 rules 1 and 2: which eviction', () => {
  async function discover(resources: unknown) {
    const api = await startFakeApi(() => ({ body: { kind: 'APIResourceList', resources } }))
    apis.push(api)
    return discoverEviction(await api.session())
  }
  const eviction = { name: 'pods/eviction', kind: 'Eviction', group: 'policy', version: 'v1' }

  test.each([
    ['policy/v1', [eviction], 'policy/v1'],
    ['policy/v1beta1', [{ ...eviction, version: 'v1beta1' }], 'policy/v1beta1'],
    ['anything else found is policy/v1beta1', [{ ...eviction, version: 'v2' }], 'policy/v1beta1'],
    ['not found', [{ name: 'pods', kind: 'Pod' }], null],
    ['found without group and version', [{ name: 'pods/eviction', kind: 'Eviction' }], null],
    ['found with another kind', [{ ...eviction, kind: 'Binding' }], null],
  ])('%s', async (_, resources, expected) => {
    expect(await discover(resources)).toEqual({ ok: true, value: expected })
  })

  test('a discovery that fails is a failure, not a reason to delete', async () => {
    const api = await startFakeApi(() => status(403, 'Forbidden', 'no'))
    apis.push(api)
    expect(await discoverEviction(await api.session())).toMatchObject({ failure: { code: 'not-permitted' } })
  })
})

describe('5.3 rule 3: what is sent', () => {
  test('eviction with the UID as precondition (V1), and no grace period set by Lockkeeper', async () => {
    const { requests } = await attempt({ status: 201 })
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/api/v1/namespaces/ns/pods/p/eviction' })
    expect(requests[0]?.body).toEqual({
      kind: 'Eviction',
      apiVersion: 'policy/v1',
      metadata: { name: 'p', namespace: 'ns' },
      deleteOptions: { preconditions: { uid: 'u-1' } },
    })
  })

  test('server dry run with eviction', async () => {
    const { requests } = await attempt({ status: 201 }, { version: 'policy/v1beta1', dryRun: true, grace: 0 })
    expect(requests[0]?.body).toMatchObject({
      apiVersion: 'policy/v1beta1',
      deleteOptions: { dryRun: ['All'], gracePeriodSeconds: 0 },
    })
  })

  test('server dry run with delete', async () => {
    const { requests } = await attempt({ status: 200 }, { version: null, dryRun: true, grace: 30 })
    expect(requests[0]).toMatchObject({ method: 'DELETE', path: '/api/v1/namespaces/ns/pods/p' })
    expect(requests[0]?.body).toEqual({
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      dryRun: ['All'],
      gracePeriodSeconds: 30,
      preconditions: { uid: 'u-1' },
    })
  })
})

const BUDGET_TEXT = 'The disruption budget rabbitmq-pdb needs 3 healthy pods and has 3 currently'
const TERMINATING = { causes: [{ reason: 'NamespaceTerminating', message: 'namespace ns is being terminated' }] }

describe('5.3 answers', () => {
  test.each<[string, FakeAnswer, unknown]>([
    ['200', { status: 200 }, { kind: 'accepted' }],
    ['201', { status: 201 }, { kind: 'accepted' }],
    ['404', status(404, 'NotFound', 'pods "p" not found'), { kind: 'gone' }],
    [
      '429 with a budget: its own sentence from the causes (V8), no Retry-After',
      status(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
        details: { causes: [{ reason: 'DisruptionBudget', message: BUDGET_TEXT }] },
      }),
      { kind: 'refused', sentence: BUDGET_TEXT, retryAfterMs: null },
    ],
    [
      '429 with several reasons: each once',
      status(429, 'TooManyRequests', 'no', {
        details: {
          causes: [
            { reason: 'DisruptionBudget', message: BUDGET_TEXT },
            { reason: 'DisruptionBudget', message: BUDGET_TEXT },
            { reason: 'Other', message: 'and another' },
          ],
        },
      }),
      { kind: 'refused', sentence: `${BUDGET_TEXT}; and another`, retryAfterMs: null },
    ],
    [
      '403 of a budget is not a permission problem, and fails permanently',
      status(403, 'Forbidden', 'poddisruptionbudget.policy "b" is forbidden: pdb disruptions allowed is negative', {
        details: { name: 'b', group: 'policy', kind: 'poddisruptionbudget' },
      }),
      {
        kind: 'failed',
        failure: {
          code: 'conflict',
          retryable: false,
          message:
            'The API server does not evict pods like ns/p: poddisruptionbudget.policy "b" is forbidden: pdb disruptions allowed is negative.',
        },
      },
    ],
    [
      '403 of a budget with its reason',
      status(403, 'Forbidden', 'poddisruptionbudget.policy "b" is forbidden: too many', {
        details: {
          name: 'b',
          kind: 'poddisruptionbudget',
          causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget b has too many pending evictions.' }],
        },
      }),
      {
        kind: 'failed',
        failure: {
          message:
            'The API server does not evict pods like ns/p: The disruption budget b has too many pending evictions.',
        },
      },
    ],
    [
      '429 with Retry-After in the header',
      { ...(status(429, 'TooManyRequests', 'slow down') as object), headers: { 'Retry-After': '10' } },
      { kind: 'refused', sentence: 'slow down', retryAfterMs: 10_000 },
    ],
    [
      '429 with retryAfterSeconds in the details',
      status(429, 'TooManyRequests', 'slow down', { details: { retryAfterSeconds: 7 } }),
      { kind: 'refused', sentence: 'slow down', retryAfterMs: 7_000 },
    ],
    [
      'reason TooManyRequests with another code',
      { ...(status(403, 'TooManyRequests', 'wait') as object) },
      { kind: 'refused', sentence: 'wait', retryAfterMs: null },
    ],
    [
      '403 NamespaceTerminating',
      status(403, 'Forbidden', 'being terminated', { details: TERMINATING }),
      { kind: 'namespace-terminating' },
    ],
    [
      '403 RBAC fails for good',
      status(403, 'Forbidden', 'User "viewer" cannot create resource "pods/eviction"'),
      { kind: 'failed', failure: { code: 'not-permitted', retryable: false } },
    ],
    [
      '409',
      status(409, 'Conflict', 'the UID does not match'),
      { kind: 'conflict', sentence: 'the UID does not match' },
    ],
    [
      '500 two budgets fails for good',
      status(
        500,
        'InternalError',
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      ),
      { kind: 'failed', failure: { code: 'server-fault', retryable: false } },
    ],
    [
      '500 of a server that fails passes',
      status(500, 'InternalError', 'etcdserver: leader changed'),
      { kind: 'failed', failure: { code: 'server-fault', retryable: true } },
    ],
    [
      '504 with Retry-After waits, as client-go does on its own',
      { ...(status(504, 'Timeout', 'conflicts') as object), headers: { 'Retry-After': '10' } },
      { kind: 'refused', sentence: 'conflicts', retryAfterMs: 10_000 },
    ],
    ['503 of a balancer passes', { status: 503, body: '<html>' }, { kind: 'failed', failure: { retryable: true } }],
    ['a broken connection passes', 'drop', { kind: 'failed', failure: { code: 'unreachable', retryable: true } }],
  ])('%s', async (_, given, expected) => {
    const { answer, requests } = await attempt(given)
    expect(answer).toMatchObject(expected as object)
    expect(requests).toHaveLength(1)
  })
})

describe('V1: the pod that was meant', () => {
  test.each([
    ['no pod of that name', null, { kind: 'left', how: 'gone' }],
    ['Pod found with same name but different UID', { uid: 'u-2', nodeName: 'n' }, { kind: 'left', how: 'replaced' }],
    ['same UID on another node', { uid: 'u-1', nodeName: 'm' }, { kind: 'left', how: 'moved' }],
    ['the same pod', { uid: 'u-1', nodeName: 'n' }, { kind: 'present', pod: { uid: 'u-1', nodeName: 'n' } }],
  ])('%s', (_, found, expected) => {
    expect(sightingOf(POD, 'n', found)).toEqual(expected)
  })
})
