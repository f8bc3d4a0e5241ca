import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import { createMaintenanceRuns, notAsWritten } from '../../../../../main/wings/runner/kubernetes/maintenance-runs.ts'
import { admissionManifests } from '../../../../../main/wings/runner/manifests/runner-admission.ts'
import type { MaintenanceRunsPort } from '../../../../../main/wings/runner/ports/maintenance-runs.ts'
import {
  MaintenanceRunSpec,
  MaintenanceRunStatus,
  maintenanceRunName,
} from '../../../../../shared/domain/maintenance-run.ts'
import type { Result } from '../../../../../shared/domain/result.ts'
import { valueIn } from '../../../../fixtures/clusters/results.ts'
import {
  type FakeAnswer,
  type FakeApi,
  type FakeRequest,
  startFakeApi,
  status,
} from '../../../../fixtures/kubernetes/fake-api.ts'

const API = '/apis/lockkeeper.dev/v1alpha1'
const SPEC = MaintenanceRunSpec.parse({
  kind: 'enter',
  cluster: 'lab',
  node: 'cmp-01.example.org',
  plan: '{}',
  planHash: '4'.repeat(64),
  confirmedBy: 'ada',
})
const PENDING = MaintenanceRunStatus.parse({ phase: 'Pending', nodesDone: 0, nodesAll: 0, lastSeq: 0 })
type Raw = Record<string, unknown>

let api: FakeApi | null = null
afterEach(() => api?.close())

async function port(answer: (request: FakeRequest) => FakeAnswer): Promise<MaintenanceRunsPort> {
  api = await startFakeApi(answer)
  return createMaintenanceRuns({ session: await api.session(), namespace: 'lockkeeper', clock: systemClock })
}
const object = (more: Raw) => ({
  apiVersion: 'lockkeeper.dev/v1alpha1',
  kind: 'MaintenanceRun',
  metadata: {
    name: 'r',
    namespace: 'lockkeeper',
    uid: 'u-1',
    resourceVersion: '7',
    creationTimestamp: '2026-11-25T09:00:00Z',
  },
  ...more,
})

describe('what another version or a hand has written', () => {
  const { planHash: _, ...unhashed } = SPEC
  test.each<[string, Raw, 'spec' | 'status', RegExp]>([
    ['a kind that it does not know', { spec: { ...SPEC, kind: 'reboot' } }, 'spec', /^spec\.kind: /],
    ['a field that asks for more', { spec: { ...SPEC, force: true } }, 'spec', /^spec: .*force/],
    ['no hash', { spec: unhashed }, 'spec', /^spec\.planHash: /],
    ['no spec at all', {}, 'spec', /^spec: /],
    [
      'a phase that it does not know',
      { spec: SPEC, status: { phase: 'Dreaming', nodesDone: 0, nodesAll: 0, lastSeq: 0 } },
      'status',
      /^status\.phase: /,
    ],
    ['a status without its phase', { spec: SPEC, status: { message: 'x' } }, 'status', /^status\.phase: /],
  ])('is reported in its place and not omitted: %s', async (_, fields, part, why) => {
    const runs = await port(() => ({ body: object(fields) }))
    const read = valueIn(await runs.run('r'))
    expect(read?.name).toBe('r')
    expect(read?.[part]).toEqual({ unreadable: expect.stringMatching(why) })
  })

  test('is never repeated, for it may be anything', async () => {
    const runs = await port(() => ({ body: object({ spec: { ...SPEC, planHash: 'hunter2-secret' } }) }))
    expect(JSON.stringify(valueIn(await runs.run('r')))).not.toContain('hunter2')
  })

  test('of a status is read as far as this version knows it', async () => {
    const reported = { phase: 'Done', nodesDone: 1, nodesAll: 1, lastSeq: 9, nodes: '1/1', mood: 'good' }
    const runs = await port(() => ({ body: object({ spec: SPEC, status: reported }) }))
    expect(valueIn(await runs.run('r'))?.status).toMatchObject({
      phase: 'Done',
      message: '',
      gateId: null,
      driver: null,
    })
    expect(valueIn(await runs.run('r'))?.status).not.toHaveProperty('mood')
  })

  test('an empty status is absent: no runner has processed it', async () => {
    const runs = await port(() => ({ body: object({ spec: SPEC, status: {} }) }))
    expect(valueIn(await runs.run('r'))?.status).toBeNull()
  })
})

test('what is absent is not sent as null, and a field that an older definition lacks refuses the whole', async () => {
  const runs = await port(({ body }) => ({ status: 201, body: object({ spec: body.spec }) }))
  valueIn(await runs.createRun({ name: 'r', spec: SPEC }))
  const [sent] = api?.requests ?? []
  expect(sent?.query.get('fieldValidation')).toBe('Strict')
  expect(sent?.body.spec).toEqual({
    ...SPEC,
    startAfter: undefined,
    notAfter: undefined,
    campaign: undefined,
    handedOver: undefined,
  })
  expect(Object.keys(sent?.body.spec as Raw)).not.toContain('startAfter')
})

test.each<[string, (runs: MaintenanceRunsPort) => Promise<Result<unknown>>, string]>([
  ['see runs', runs => runs.objects(), 'lockkeeper-reader'],
  ['ask for a run', runs => runs.createRun({ name: 'r', spec: SPEC }), 'lockkeeper-submitter'],
  [
    'steer one',
    runs => runs.createControl({ name: 'c', spec: { run: 'r', control: 'pause', by: 'ada', reason: '' } }),
    'lockkeeper-steerer',
  ],
  ['say what became of one', runs => runs.setRunStatus({ name: 'r', uid: 'u-1' }, PENDING), 'lockkeeper-runner-own'],
])('a user who may not %s learns which Role may', async (_, ask, role) => {
  const runs = await port(({ method, path }) =>
    method === 'GET' && path.endsWith('/r') ? { body: object({ spec: SPEC }) } : status(403, 'Forbidden', 'no'),
  )
  const answer = await ask(runs)
  expect(answer).toMatchObject({ ok: false, failure: { code: 'not-permitted' } })
  expect(JSON.stringify(answer)).toContain(`Ask for the Role ${role} of namespace lockkeeper (docs/runner.md).`)
})

test('a status is written though an older definition drops its codes, and not where it drops or changes anything else', () => {
  const reported = {
    phase: 'Running',
    message: 'Waits.',
    gateId: null,
    reason: 'LockHeld',
    reasons: [{ code: 'LockHeld' }],
  }
  const { gateId: _, ...whole } = reported
  const { reason: __, reasons: ___, ...ofEarlier } = whole
  const { message: ____, ...less } = whole
  expect(notAsWritten(whole, reported)).toBeNull()
  expect(notAsWritten(ofEarlier, reported)).toBeNull()
  expect(notAsWritten(less, reported)).toBe('message')
  expect(notAsWritten({ ...whole, reasons: [] }, reported)).toBe('reasons')
})

describe('the name of a MaintenanceRun', () => {
  test.each<[Partial<MaintenanceRunSpec>, RegExp]>([
    [{}, /^enter-cmp-01-example-org-444444444444$/],
    [{ node: null, kind: 'update', cluster: 'Cloud One' }, /^update-cloud-one-444444444444$/],
    [{ node: `${'very-'.repeat(20)}long` }, /^enter-very-[a-z-]+y-444444444444$/],
    [{ node: '...' }, /^enter-444444444444$/],
  ])('of %j is one that Kubernetes takes', (change, name) => {
    const made = maintenanceRunName({ ...SPEC, ...change })
    expect(made).toMatch(name)
    expect(made).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
    expect(made.length).toBeLessThanOrEqual(63)
  })

  test('is the same for what was confirmed, and another for anything else', () => {
    expect(maintenanceRunName(SPEC)).toBe(maintenanceRunName({ ...SPEC, confirmedBy: 'bob' }))
    expect(maintenanceRunName(SPEC)).not.toBe(maintenanceRunName({ ...SPEC, planHash: '5'.repeat(64) }))
  })
})

describe('users are proved', () => {
  const ours = admissionManifests()
  const MADE = '2026-11-21T10:00:00Z'
  const served =
    (manifests: readonly Raw[], writes: (of: Raw) => Raw = () => ({})) =>
    (request: FakeRequest) => {
      const [plural, name] = request.path.split('/').slice(-2)
      const found = manifests.find(
        ({ kind, metadata }) =>
          `${String(kind).toLowerCase()}s`.replace(/ys$/, 'ies') === plural && (metadata as Raw).name === name,
      )
      if (found !== undefined) {
        const metadata = { name, uid: `u-${name}`, resourceVersion: '1', creationTimestamp: MADE, ...writes(found) }
        return { body: { ...found, metadata } }
      }
      return status(404, 'NotFound', 'none', { name, kind: plural })
    }
  const changed = (kind: string, change: (spec: Raw) => Raw) =>
    ours.map(each => (each.kind === kind ? { ...each, spec: change(structuredClone(each.spec) as Raw) } : each))
  const POLICY = 'ValidatingAdmissionPolicy'
  const BINDING = 'ValidatingAdmissionPolicyBinding'
  const constraints = (spec: Raw) => spec.matchConstraints as Raw
  const rule = (spec: Raw) => (constraints(spec).resourceRules as Raw[])[0]
  const selector = { matchLabels: { team: 'x' } }

  test.each<[string, readonly Raw[], boolean]>([
    ['by what is installed', ours, true],
    [
      'with what an API server fills in',
      changed(POLICY, spec => ({
        ...spec,
        matchConstraints: {
          ...constraints(spec),
          matchPolicy: 'Equivalent',
          namespaceSelector: {},
          objectSelector: {},
        },
      })),
      true,
    ],
    ['not without any', [], false],
    ['not without bindings', ours.filter(({ kind }) => kind === POLICY), false],
    ['not without the policy of controls', ours.slice(0, 2), false],
    ['not when a failure lets pass', changed(POLICY, spec => ({ ...spec, failurePolicy: 'Ignore' })), false],
    [
      'not with another expression',
      changed(POLICY, spec => ({ ...spec, validations: [{ expression: 'true' }] })),
      false,
    ],
    [
      'not with exceptions',
      changed(POLICY, spec => ({ ...spec, matchConditions: [{ name: 'x', expression: 'false' }] })),
      false,
    ],
    [
      'not with parameters',
      changed(POLICY, spec => ({ ...spec, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } })),
      false,
    ],
    [
      'not in some namespaces',
      changed(POLICY, spec => ({ ...spec, matchConstraints: { ...constraints(spec), namespaceSelector: selector } })),
      false,
    ],
    [
      'not of some objects',
      changed(POLICY, spec => ({ ...spec, matchConstraints: { ...constraints(spec), objectSelector: selector } })),
      false,
    ],
    [
      'not of some names',
      changed(POLICY, spec => ({
        ...spec,
        matchConstraints: { resourceRules: [{ ...rule(spec), resourceNames: ['one'] }] },
      })),
      false,
    ],
    [
      'not when only creations are checked',
      changed(POLICY, spec => ({
        ...spec,
        matchConstraints: { resourceRules: [{ ...rule(spec), operations: ['CREATE'] }] },
      })),
      false,
    ],
    [
      'not with what is excluded',
      changed(POLICY, spec => ({ ...spec, matchConstraints: { ...constraints(spec), excludeResourceRules: [{}] } })),
      false,
    ],
    ['not when it only warns', changed(BINDING, spec => ({ ...spec, validationActions: ['Warn', 'Audit'] })), false],
    ['not by a binding of another policy', changed(BINDING, spec => ({ ...spec, policyName: 'other' })), false],
    [
      'not by a binding of some namespaces',
      changed(BINDING, spec => ({ ...spec, matchResources: { namespaceSelector: selector } })),
      false,
    ],
  ])('%s', async (_, manifests, proved) => {
    const runs = await port(served(manifests))
    expect(valueIn(await runs.provesUsersSince())).toBe(proved ? MADE : null)
  })

  test.each<[string, string, string | null, string]>([
    ['it was made, where only its status was written', BINDING, 'status', MADE],
    ['one of them was written last', BINDING, null, '2026-11-22T09:00:00Z'],
    ['a policy was written last', POLICY, null, '2026-11-22T09:00:00Z'],
  ])('since %s', async (_, kind, subresource, since) => {
    const at = { manager: 'kubectl', operation: 'Update', time: '2026-11-22T09:00:00Z', fieldsV1: {} }
    const managedFields = [{ ...at, ...(subresource === null ? {} : { subresource }) }]
    const runs = await port(served(ours, of => (of.kind === kind ? { managedFields } : {})))
    expect(valueIn(await runs.provesUsersSince())).toBe(since)
  })

  test('or it is unknown, where the policies may not be read', async () => {
    const runs = await port(() => status(403, 'Forbidden', 'no'))
    expect(await runs.provesUsersSince()).toMatchObject({ ok: false, failure: { code: 'not-permitted' } })
  })
})

describe('who we are', () => {
  const review = (username: unknown): FakeAnswer => ({
    status: 201,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', status: { userInfo: { username } } },
  })
  const serving = (resources: readonly string[], answer: FakeAnswer) => (request: FakeRequest) =>
    request.method === 'POST'
      ? answer
      : {
          body: {
            kind: 'APIResourceList',
            groupVersion: 'authentication.k8s.io/v1',
            resources: resources.map(name => ({ name, kind: 'X' })),
          },
        }

  test('is what the API server says', async () => {
    const runs = await port(
      serving(['tokenreviews', 'selfsubjectreviews'], review('system:serviceaccount:lockkeeper:lockkeeper-runner')),
    )
    expect(valueIn(await runs.whoAmI())).toBe('system:serviceaccount:lockkeeper:lockkeeper-runner')
  })

  test('is not asked of one before 1.28', async () => {
    const runs = await port(serving(['tokenreviews'], 'drop'))
    expect(valueIn(await runs.whoAmI())).toBeNull()
    expect(api?.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test.each([[''], [null], [7]])('is nobody by %j: that is invalid', async username => {
    const runs = await port(serving(['selfsubjectreviews'], review(username)))
    expect(await runs.whoAmI()).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
  })
})

test('a status that changes nothing is read, and not written', async () => {
  const now = { outcome: 'Refused', message: 'It has ended.', at: '2026-11-25T09:00:00Z' } as const
  const control = {
    ...object({ spec: { run: 'r', control: 'pause', by: 'ada' }, status: now }),
    kind: 'MaintenanceRunControl',
  }
  const runs = await port(() => ({ body: control }))
  valueIn(await runs.setControlStatus({ name: 'r', uid: 'u-1' }, now))
  expect(api?.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET ${API}/namespaces/lockkeeper/maintenanceruncontrols/r`,
  ])
})

describe('what an older definition drops', () => {
  const night = { ...SPEC, campaign: 'night' }
  const handed = { ...SPEC, handedOver: { run: '4f1c', story: 'c3Rvcnk=', storyHash: '4'.repeat(64) } }
  test.each<[string, typeof SPEC, Raw, RegExp | null]>([
    ['a run of a campaign is made where its definition knows campaigns', night, night, null],
    [
      'a run of a campaign is not created where it would start at once',
      night,
      SPEC,
      /MaintenanceRun r would start at once\. Nothing was created/,
    ],
    ['a run that is handed over is made where its definition knows that', handed, handed, null],
    [
      'a run that is handed over is not made where it would begin from the start',
      handed,
      SPEC,
      /The installed definition of MaintenanceRuns does not know runs that are handed over: run 4f1c would start from its beginning/,
    ],
  ])('%s', async (_, spec, kept, why) => {
    const asked: (string | null)[] = []
    const runs = await port(({ method, query }) => {
      if (method === 'POST') asked.push(query.get('dryRun'))
      // As text, or what is missing would be filled in.
      return {
        body: JSON.stringify(object({ spec: kept })),
        headers: { 'content-type': 'application/json' },
      }
    })
    const made = await runs.createRun({ name: 'r', spec })
    expect(asked).toEqual(why === null ? ['All', null] : ['All'])
    if (why === null) expect(valueIn(made).name).toBe('r')
    else expect(made.ok ? '' : made.failure.message).toMatch(why)
  })
})
