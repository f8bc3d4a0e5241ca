import { describe, expect, test } from 'vitest'
import { brokenOutcome } from '../../../../main/adapters/http/exchange.ts'
import { failureOfAnswer, transportFailure, withoutSecrets } from '../../../../main/adapters/kubernetes/errors.ts'
import { requestWords } from '../../../../main/adapters/kubernetes/request-words.ts'
import { status } from '../../../fixtures/kubernetes/fake-api.ts'

const WORDS = requestWords('PATCH', '/api/v1/nodes/cmp-1')

describe('requests in words', () => {
  test.each([
    ['GET', '/api/v1/nodes', false, 'list nodes', null],
    ['GET', '/api/v1/nodes/cmp-1', false, 'get nodes cmp-1', 'node/cmp-1'],
    ['GET', '/api/v1/pods', true, 'watch pods', null],
    ['GET', '/api/v1/namespaces/openstack/pods', false, 'list pods in namespace openstack', null],
    ['POST', '/api/v1/namespaces/ns/pods/p/eviction', false, 'create pods/eviction ns/p', 'pod/ns/p'],
    ['PATCH', '/apis/coordination.k8s.io/v1/namespaces/ns/leases/l', false, 'patch leases ns/l', 'lease/ns/l'],
    ['GET', '/api/v1/namespaces/ns', false, 'get namespaces ns', 'namespace/ns'],
    ['GET', '/version', false, 'get /version', null],
    ['GET', '/api/v1', false, 'get /api/v1', null],
  ])('%s %s', (method, path, watching, text, target) => {
    expect(requestWords(method, path, watching)).toMatchObject({ call: { message: text }, target })
  })
})

describe('answers', () => {
  const RULE =
    'nodes "cmp-1" is forbidden: User "viewer" cannot patch resource "nodes" in API group "" at the cluster scope'
  const REASONS: Readonly<Record<number, string>> = { 404: 'NotFound', 409: 'Conflict', 410: 'Expired' }
  test.each([
    [400, 'bad-input', false],
    [401, 'unauthenticated', false],
    [403, 'not-permitted', false],
    [404, 'not-found', false],
    [409, 'conflict', false],
    [410, 'conflict', true],
    [418, 'server-fault', false],
    [422, 'bad-input', false],
    [429, 'throttled', true],
    [500, 'server-fault', true],
    [503, 'server-fault', true],
  ])('%d', (code, expected, retryable) => {
    const { body } = status(code, REASONS[code] ?? 'Reason', RULE, { details: { name: 'cmp-1', kind: 'nodes' } })
    expect(failureOfAnswer(WORDS, code, body)).toMatchObject({ code: expected, retryable, target: 'node/cmp-1' })
  })

  const PAGE = '<html><body>not here</body></html>'
  test.each<[string, number, unknown]>([
    ["a proxy's page", 404, PAGE],
    ["a proxy's page", 403, PAGE],
    ["a proxy's page", 409, PAGE],
    ["a proxy's page", 410, PAGE],
    ["a proxy's page", 422, PAGE],
    ['a plain text', 404, '404 page not found'],
    ['nothing', 404, ''],
    ['a Status of another code', 404, status(500, 'NotFound', 'x').body],
    ['a Status of success', 404, { kind: 'Status', apiVersion: 'v1', status: 'Success', code: 404 }],
    ['a Status of another reason', 409, status(409, 'Forbidden', 'x').body],
    ['a Status of nothing in particular', 404, status(404, 'NotFound', 'the server could not find it').body],
    [
      'a Status of another object',
      404,
      status(404, 'NotFound', 'x', { details: { name: 'cmp-2', kind: 'nodes' } }).body,
    ],
    ['a Status of another kind', 404, status(404, 'NotFound', 'x', { details: { name: 'cmp-1', kind: 'pods' } }).body],
  ])('%s with HTTP %d is not what the API server says', (_, code, body) => {
    expect(failureOfAnswer(WORDS, code, body, 'text/html').code).toBe('unreadable')
  })

  test('a strange answer is quoted by its first words, without secrets and terminal codes', () => {
    const page = `<p>token=abcdefgh123\u001b[31m\u202e${'x'.repeat(500)}`
    const { message } = failureOfAnswer(WORDS, 404, page, 'text/html; charset=utf-8')
    expect(message).toContain('It sent text/html: "<p>token=[redacted]')
    expect(message).not.toMatch(/[^\x20-\x7e…]|abcdefgh/)
    expect(message.length).toBeLessThan(450)
  })

  test("403 names verb and resource, quotes the server's rule and says what next", () => {
    expect(failureOfAnswer(WORDS, 403, status(403, 'Forbidden', RULE).body).message).toBe(
      `These credentials may not patch nodes cmp-1: ${RULE}. Ask for the role in resources/rbac/lockkeeper-operator.yaml, or run \`lockkeeper cluster test\`.`,
    )
  })

  test("a proxy's page is not quoted", () => {
    expect(failureOfAnswer(WORDS, 502, '<html>proxy of ada</html>').message).toBe(
      'The API server failed (HTTP 502) on the request to patch nodes cmp-1.',
    )
  })
})

describe('connections', () => {
  test.each([
    ['ECONNREFUSED', 'unreachable', 'Is it running'],
    ['ENOTFOUND', 'unreachable', 'DNS'],
    ['EHOSTUNREACH', 'unreachable', 'no route'],
    ['ETIMEDOUT', 'timed-out', 'firewall'],
    ['ECONNRESET', 'unreachable', 'broke the connection'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'unauthenticated', 'certificate-authority'],
    ['CERT_HAS_EXPIRED', 'unauthenticated', 'clock'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'unauthenticated', 'tls-server-name'],
    ['ERR_OSSL_PEM_NO_START_LINE', 'bad-input', 'client certificate'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'unauthenticated', 'client certificate'],
    ['EWHATEVER', 'unreachable', 'EWHATEVER'],
  ])('%s', (code, expected, text) => {
    expect(transportFailure(WORDS, 'api.example:6443', brokenOutcome({ code }))).toMatchObject({
      code: expected,
      message: expect.stringContaining(text),
    })
  })

  test('what fetch wraps is found', () => {
    const wrapped = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) })
    expect(transportFailure(WORDS, 'h', brokenOutcome(wrapped)).message).toContain('refuses connections')
  })
})

describe("secrets in a server's text", () => {
  test.each([
    ['Bearer abcdef123456', 'Bearer [redacted]'],
    ['token: "abcdef" x', 'token: [redacted] x'],
    ['by password=hunter2, next', 'by password=[redacted], next'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.sig_x end', '[redacted] end'],
    ['a -----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY----- b', 'a [redacted PEM] b'],
    ['a -----BEGIN CERTIFICATE-----\nMII cut', 'a [redacted PEM]'],
    ['nodes "cmp-1" is forbidden', 'nodes "cmp-1" is forbidden'],
  ])('%s', (text, expected) => {
    expect(withoutSecrets(text)).toBe(expected)
  })
})

test.each([
  ['PATCH', '/apis/lcm.mirantis.com/v1alpha1/nodeworkloadlocks/openstack-cmp-1/status', 'lockkeeper-controllers.yaml'],
  ['POST', '/apis/lcm.mirantis.com/v1alpha1/nodeworkloadlocks', 'lockkeeper-controllers.yaml'],
  ['GET', '/apis/lcm.mirantis.com/v1alpha1/nodeworkloadlocks', 'lockkeeper-operator.yaml'],
  ['PATCH', '/apis/lcm.mirantis.com/v1alpha1/nodemaintenancerequests/cmp-1', 'lockkeeper-controllers.yaml'],
  ['POST', '/apis/lcm.mirantis.com/v1alpha1/nodemaintenancerequests', 'lockkeeper-operator.yaml'],
  ['GET', '/api/v1/namespaces/rook-ceph/pods/tools/exec', 'lockkeeper-ceph.yaml'],
  ['PATCH', '/api/v1/nodes/cmp-1', 'lockkeeper-operator.yaml'],
])('what is not allowed names the role that grants it: %s %s', (method, path, role) => {
  const { body } = status(403, 'Forbidden', 'no')
  expect(failureOfAnswer(requestWords(method, path), 403, body).message).toContain(`resources/rbac/${role}`)
})
