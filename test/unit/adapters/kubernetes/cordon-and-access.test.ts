import { afterEach, describe, expect, test } from 'vitest'
import { reviewAccess } from '../../../../main/adapters/kubernetes/access.ts'
import { annotateNode, setUnschedulable } from '../../../../main/adapters/kubernetes/cordon.ts'
import { sentWhile } from '../../../../main/platform/clock/sent-while.ts'
import { maintenanceAccessQuestions } from '../../../../main/procedures/steps/general/access-questions.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed } from '../../../../shared/domain/result.ts'
import {
  type FakeAnswer,
  type FakeApi,
  type FakeRequest,
  startFakeApi,
  status,
} from '../../../fixtures/kubernetes/fake-api.ts'

let api: FakeApi | undefined

afterEach(async () => {
  await api?.close()
})

async function withNode(
  unschedulable: boolean | undefined,
  onPatch: (request: FakeRequest) => FakeAnswer = () => ({}),
) {
  api = await startFakeApi(request =>
    request.method === 'GET'
      ? { body: { metadata: { name: 'n' }, spec: unschedulable === undefined ? {} : { unschedulable } } }
      : onPatch(request),
  )
  return api.session()
}

const patches = () => api?.requests.filter(({ method }) => method === 'PATCH') ?? []

describe('5.1 cordon', () => {
  test('cordon for real: one strategic merge patch of the difference, without resourceVersion (rule 2)', async () => {
    expect(await setUnschedulable(await withNode(undefined), 'n', true)).toEqual({ ok: true, value: { changed: true } })
    expect(patches()).toHaveLength(1)
    expect(patches()[0]).toMatchObject({ path: '/api/v1/nodes/n', body: { spec: { unschedulable: true } } })
    expect(patches()[0]?.headers['content-type']).toBe('application/strategic-merge-patch+json')
  })

  test('uncordon for real sends the field as null (rule 2)', async () => {
    expect(await setUnschedulable(await withNode(true), 'n', false)).toEqual({ ok: true, value: { changed: true } })
    expect(patches()[0]?.body).toEqual({ spec: { unschedulable: null } })
  })

  test('a run is a separate field manager, so that its cordon differs from others', async () => {
    await setUnschedulable(await withNode(false), 'n', true, { by: '4f1c' })
    expect(patches()[0]?.query.get('fieldManager')).toBe('lockkeeper-run-4f1c')
  })

  test('of one version alone, the server refuses it once the node was written since', async () => {
    const session = await withNode(true, () => status(409, 'Conflict', 'the object has been modified'))
    const answer = await setUnschedulable(session, 'n', false, { atVersion: '7' })
    expect(patches()[0]?.body).toEqual({ metadata: { resourceVersion: '7' }, spec: { unschedulable: null } })
    expect(answer).toMatchObject({ ok: false, failure: { code: 'conflict' } })
  })

  test.each([
    ['cordon no-op (rule 1)', true, true],
    ['uncordon no-op (rule 1)', false, false],
    ['uncordon no-op where the field is absent (rule 1)', undefined, false],
  ])('%s', async (_, before, wanted) => {
    expect(await setUnschedulable(await withNode(before), 'n', wanted)).toEqual({ ok: true, value: { changed: false } })
    expect(patches()).toEqual([])
  })

  test('what is read first may take hours: the patch is kept back where the Lease is held no more', async () => {
    let isHeld = true
    api = await startFakeApi(request => {
      if (request.method === 'GET') isHeld = false
      return { body: { metadata: { name: 'n' }, spec: { unschedulable: false } } }
    })
    const session = await api.session()
    const made = await sentWhile(
      () => isHeld,
      () => setUnschedulable(session, 'n', true),
    )
    expect(made).toMatchObject({ ok: false, failure: { code: 'aborted' } })
    expect(patches()).toEqual([])
    expect(await setUnschedulable(session, 'n', true), 'nothing else is kept back').toMatchObject({ ok: true })
  })

  test.each([true, false])(
    'set to %s: only the patch passes the gate of the Lease, and nothing is sent where that is shut',
    async wanted => {
      const session = await withNode(!wanted)
      const asked: string[] = []
      const seen = () => (api?.requests ?? []).map(({ method }) => method)
      const shut = async () => {
        asked.push(...seen())
        return failed(failure('aborted', 'The Lease is not held.'))
      }
      expect(await setUnschedulable(session, 'n', wanted, { gate: shut })).toMatchObject({
        failure: { code: 'aborted' },
      })
      expect(asked, 'the node was read before the Lease').toEqual(['GET'])
      expect(patches()).toEqual([])
      await setUnschedulable(session, 'n', wanted, { gate: effect => effect() })
      expect(patches()).toHaveLength(1)
    },
  )

  test('V2: a patch that is refused is a failure', async () => {
    const session = await withNode(false, () => status(403, 'Forbidden', 'User "viewer" cannot patch resource "nodes"'))
    expect(await setUnschedulable(session, 'n', true)).toMatchObject({
      ok: false,
      failure: { code: 'not-permitted', target: 'node/n', message: expect.stringContaining('may not patch nodes n') },
    })
  })

  test('missing node', async () => {
    api = await startFakeApi(() => status(404, 'NotFound', 'nodes "n" not found'))
    expect(await setUnschedulable(await api.session(), 'n', true)).toMatchObject({ failure: { code: 'not-found' } })
  })

  test('annotations are merged, and null removes one', async () => {
    expect((await annotateNode(await withNode(false), 'n', { a: '1', b: null })).ok).toBe(true)
    expect(patches()[0]?.body).toEqual({ metadata: { annotations: { a: '1', b: null } } })
    expect(patches()[0]?.headers['content-type']).toBe('application/merge-patch+json')
  })
})

describe('access', () => {
  test('each question is asked, and answers come in the order of the questions', async () => {
    api = await startFakeApi(({ body }) => {
      const { resourceAttributes: asked } = body.spec as { resourceAttributes?: { verb: string; resource: string } }
      if (asked === undefined) return status(403, 'Forbidden', 'who asks may not list what holds for them')
      return {
        status: 201,
        body: { status: { allowed: asked.verb !== 'patch', reason: `${asked.verb} ${asked.resource}` } },
      }
    })
    const questions = maintenanceAccessQuestions('lockkeeper')
    const answers = await reviewAccess(await api.session(), questions)
    expect(answers.ok && answers.value.map(({ question }) => question)).toEqual(questions)
    expect(answers.ok && answers.value.filter(({ allowed }) => !allowed).map(({ reason }) => reason)).toEqual([
      'patch nodes',
      'patch leases',
    ])
  })

  test('the questions name the subresource and the namespace', () => {
    const questions = maintenanceAccessQuestions('lockkeeper')
    expect(questions).toContainEqual({ verb: 'create', group: '', resource: 'pods', subresource: 'eviction' })
    expect(questions).toContainEqual({
      verb: 'patch',
      group: 'coordination.k8s.io',
      resource: 'leases',
      namespace: 'lockkeeper',
    })
  })

  describe('the rules of these credentials answer for what they grant', () => {
    const NODES = { verb: 'patch', group: '', resource: 'nodes' } as const
    const EXEC = { verb: 'create', group: '', resource: 'pods', subresource: 'exec', namespace: 'rook' } as const
    const rule = (more: object) => ({ verbs: ['patch'], apiGroups: [''], resources: ['nodes'], ...more })

    async function asked(rules: Readonly<Record<string, readonly object[]>>, incomplete = false) {
      const asked: string[] = []
      api = await startFakeApi(({ body }) => {
        const review = body as { kind: string; apiVersion: string; spec: Record<string, Record<string, string>> }
        if (review.kind === 'SelfSubjectRulesReview') {
          const resourceRules = rules[String(review.spec.namespace)] ?? []
          return { status: 201, body: { ...review, status: { resourceRules, nonResourceRules: [], incomplete } } }
        }
        asked.push(review.spec.resourceAttributes?.resource ?? '')
        return { status: 201, body: { ...review, status: { allowed: false, reason: 'no' } } }
      })
      const answers = await reviewAccess(await api.session(), [NODES, EXEC])
      return { asked, allowed: answers.ok && answers.value.map(({ allowed }) => allowed) }
    }
    const CLUSTER = 'lockkeeper-no-namespace'

    test.each<[string, Readonly<Record<string, readonly object[]>>, readonly boolean[], readonly string[]]>([
      [
        'a granted question is not asked again',
        { [CLUSTER]: [rule({ verbs: ['*'], resources: ['*'] })] },
        [true, true],
        [],
      ],
      [
        'a subresource is a separate resource',
        { [CLUSTER]: [rule({ verbs: ['*'], resources: ['nodes', 'pods'] })] },
        [true, false],
        ['pods'],
      ],
      [
        'a Role of a namespace grants there',
        { [CLUSTER]: [rule({})], rook: [rule({ verbs: ['create'], resources: ['pods/exec'] })] },
        [true, true],
        [],
      ],
      [
        'a Role of a namespace grants nothing of the cluster',
        { rook: [rule({ verbs: ['*'], resources: ['*'] })] },
        [false, true],
        ['nodes'],
      ],
      [
        'a rule for named objects grants nothing about others',
        { [CLUSTER]: [rule({ resourceNames: ['cmp-1'] })] },
        [false, false],
        ['nodes', 'pods'],
      ],
      [
        'another verb or group grants nothing',
        { [CLUSTER]: [rule({ verbs: ['get'] }), rule({ apiGroups: ['apps'] })] },
        [false, false],
        ['nodes', 'pods'],
      ],
    ])('%s', async (_, rules, allowed, toAsk) => {
      expect(await asked(rules)).toEqual({ asked: toAsk, allowed })
    })

    test('a list that is not whole answers nothing: each question is asked', async () => {
      expect((await asked({ [CLUSTER]: [rule({ verbs: ['*'], resources: ['*'] })] }, true)).asked).toEqual([
        'nodes',
        'pods',
      ])
    })
  })

  test('a review changes nothing: it is asked also while nothing may be sent that acts', async () => {
    api = await startFakeApi(({ body }) => ({
      status: 201,
      body: { ...body, status: { allowed: true, incomplete: true } },
    }))
    const session = await api.session()
    const reviewNodes = () => reviewAccess(session, [{ verb: 'list', group: '', resource: 'nodes' }])
    expect(await sentWhile(() => false, reviewNodes)).toMatchObject({ ok: true })
    expect(api.requests.map(({ path }) => path.split('/').at(-1))).toEqual([
      'selfsubjectrulesreviews',
      'selfsubjectaccessreviews',
    ])
  })

  test('a review that cannot be asked is a failure, not a no', async () => {
    api = await startFakeApi(() => status(401, 'Unauthorized', 'Unauthorized'))
    const answers = await reviewAccess(await api.session(), maintenanceAccessQuestions('x'))
    expect(answers).toMatchObject({ ok: false, failure: { code: 'unauthenticated' } })
  })
})
