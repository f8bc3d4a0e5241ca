import { createHash } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { KubernetesSession } from '../../main/adapters/kubernetes/session.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { createMaintenanceRuns } from '../../main/wings/runner/kubernetes/maintenance-runs.ts'
import { RUNNER_DEFINITIONS } from '../../main/wings/runner/manifests/runner-definitions.ts'
import type { RunnerObjects } from '../../main/wings/runner/ports/maintenance-runs.ts'
import { statusUnbegun } from '../../main/wings/runner/run-status.ts'
import { MaintenanceCampaignSpec, MaintenanceCampaignStatus } from '../../shared/domain/maintenance-campaign.ts'
import {
  LONGEST_PLAN,
  MaintenanceRunSpec,
  type MaintenanceRunStatus,
  maintenanceRunName,
} from '../../shared/domain/maintenance-run.ts'
import { must } from '../../shared/domain/must.ts'
import { failureOf, until, value } from './target.ts'

/** The API server that has the runner's objects. */
export interface MaintenanceRunsTarget {
  readonly session: KubernetesSession
  /** An existing namespace. */
  readonly namespace: string
  /** Whether the API server enforces rules of definitions (1.25 and later). */
  readonly hasRules: boolean
  /** The user that the API server sees; null: it does not report it (before 1.28). Undefined: a partial server, which cannot prove it. */
  readonly user: string | null | undefined
}

const API_VERSION = 'lockkeeper.dev/v1alpha1'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const NO_SUCH_UID = '00000000-0000-4000-8000-000000000000'

const plan = '{"id":"contract","kind":"enter","node":"cmp-01"}'
export const SPEC = MaintenanceRunSpec.parse({
  kind: 'enter',
  cluster: 'contract',
  node: 'cmp-01',
  plan,
  planHash: createHash('sha256').update(plan).digest('hex'),
  confirmedBy: 'ada',
})

const STATUS: MaintenanceRunStatus = {
  phase: 'Running',
  runId: 'run-1',
  nodesDone: 3,
  nodesAll: 40,
  message: 'Draining cmp-04.',
  reason: 'LockHeld',
  reasons: [{ code: 'LockHeld', controller: 'ceph', moves: false, instances: [{ id: 'i-1', name: 'web-1' }] }],
  gateId: null,
  estimatedEnd: '2026-11-25T12:00:00.000Z',
  driver: { runner: 'lockkeeper-runner-0', id: 'd-1', epoch: 2 },
  lastSeq: 117,
  head: { seq: 900, hash: 'f'.repeat(64) },
  startedAt: '2026-11-25T09:00:00.000Z',
  endedAt: null,
}

/** Installs the definitions of the runner as an installation does, and waits until they are served. */
async function installRunnerDefinitions(session: KubernetesSession, namespace: string): Promise<void> {
  for (const definition of RUNNER_DEFINITIONS) {
    const made = await session.request({ method: 'POST', path: DEFINITIONS, body: definition })
    if (!made.ok && made.failure.code !== 'conflict') value(made)
  }
  const runs = createMaintenanceRuns({ session, namespace, clock: systemClock })
  await until('all kinds are served', async () =>
    (await runs.objects()).ok && (await runs.campaigns()).ok ? true : null,
  )
}

/**
 * What a runner and its clients rely on (docs/runner.md): the same tests run against the embedded cluster and real API servers. Everything made here is
 * called `contract-…`.
 */
export function maintenanceRunsContract(target: () => MaintenanceRunsTarget): void {
  const runs = () => {
    const { session, namespace } = target()
    return createMaintenanceRuns({ session, namespace, clock: systemClock })
  }
  const folder = (plural: string) => `/apis/${API_VERSION}/namespaces/${target().namespace}/${plural}`
  const post = (spec: object, query = {}) =>
    target().session.request({
      method: 'POST',
      path: folder('maintenanceruns'),
      query,
      body: { apiVersion: API_VERSION, kind: 'MaintenanceRun', metadata: { name: 'contract-raw' }, spec },
    })
  const patch = (path: string, body: object) =>
    target().session.request({
      method: 'PATCH',
      path: `${folder('maintenanceruns')}/${path}`,
      body,
      contentType: 'application/merge-patch+json',
    })
  const made = async (name = 'contract-a') => value(await runs().createRun({ name, spec: SPEC }))
  const now = async (name: string) => must(value(await runs().run(name)), `${name} is there`)

  async function wipe(): Promise<void> {
    const all = await runs().objects()
    if (!all.ok) return
    const ours = ({ name }: { readonly name: string }) => name.startsWith('contract-')
    const campaigns = await runs().campaigns()
    for (const [plural, objects] of [
      ['maintenanceruns', all.value.runs],
      ['maintenancecampaigns', campaigns.ok ? campaigns.value : []],
      ['maintenanceruncontrols', all.value.controls],
    ] as const) {
      for (const { name } of objects.filter(ours)) {
        await target().session.request({ method: 'DELETE', path: `${folder(plural)}/${name}` })
      }
    }
  }

  beforeAll(async () => {
    await installRunnerDefinitions(target().session, target().namespace)
    await wipe()
  })
  afterEach(wipe)

  describe('a MaintenanceRun', () => {
    it('can be read back unchanged, and no runner has read it', async () => {
      const asked = MaintenanceRunSpec.parse({
        ...SPEC,
        startAfter: '2026-11-25T22:00:00+01:00',
        answers: [{ step: 'drain-node', choice: 'retry', reason: 'budgets are slow', atMost: 3 }],
        resumePolicy: 'Never',
      })
      const created = value(await runs().createRun({ name: 'contract-a', spec: asked }))
      expect(created).toMatchObject({ name: 'contract-a', spec: asked, status: null })
      expect(created.createdAt).toMatch(/^\d{4}-/)
      expect(await now('contract-a')).toEqual(created)
      expect(value(await runs().objects()).runs).toContainEqual(created)
    })

    it('is created once per name, and the same confirmed plan has one name', async () => {
      const name = `contract-${maintenanceRunName(SPEC)}`
      await made(name)
      expect(failureOf(await runs().createRun({ name, spec: { ...SPEC, confirmedBy: 'bob' } })).code).toBe('conflict')
      expect((await now(name)).spec).toEqual(SPEC)
    })

    it('is null if it does not exist, not a failure', async () => {
      expect(value(await runs().run('contract-none'))).toBeNull()
    })

    it.each<[string, string, object]>([
      ['an invalid kind', 'spec.kind', { kind: 'reboot' }],
      ['no cluster', 'spec.cluster', { cluster: undefined }],
      ['an empty cluster', 'spec.cluster', { cluster: '' }],
      ['an invalid hash', 'spec.planHash', { planHash: 'abc' }],
      ['no plan', 'spec.plan', { plan: undefined }],
      ['no name of who confirmed', 'spec.confirmedBy', { confirmedBy: undefined }],
      ['an invalid start time', 'spec.startAfter', { startAfter: 'tonight' }],
      ['an invalid node', 'spec.node', { node: 4 }],
      [
        'an answer that no step accepts',
        'spec.answers.choice',
        { answers: [{ step: 's', choice: 'force', reason: 'r' }] },
      ],
      [
        'an answer given too often',
        'spec.answers.atMost',
        { answers: [{ step: 's', choice: 'skip', reason: 'r', atMost: 21 }] },
      ],
      ['too many answers', 'spec.answers', { answers: Array(51).fill({ step: 's', choice: 'skip', reason: 'r' }) }],
      ['another policy', 'spec.resumePolicy', { resumePolicy: 'Sometimes' }],
      ['a plan that is too long', 'spec.plan', { plan: 'x'.repeat(LONGEST_PLAN + 1) }],
    ])('with %s is refused, naming %s', async (_, field, change) => {
      const refused = failureOf(await post({ ...SPEC, ...change }))
      expect(refused.code).toBe('bad-input')
      // An old API server names the list, not the index.
      expect(refused.message.replace(/\[\d+\]/g, '')).toContain(field)
    })

    it('is refused before anything is sent if it is too large for etcd', async () => {
      const spec = { ...SPEC, plan: '"'.repeat(LONGEST_PLAN - 1) }
      const refused = failureOf(await runs().createRun({ name: 'contract-b', spec }))
      expect(refused).toMatchObject({ code: 'bad-input', target: 'MaintenanceRun/contract-b' })
      expect(refused.message).toMatch(/The plan needs 2\.4 MB in the cloud.*Plan fewer nodes/)
      expect(value(await runs().run('contract-b'))).toBeNull()
    })

    it('is accepted at our size limit, with its status', async () => {
      const spec = { ...SPEC, plan: `[${'"abcdefghijklm",'.repeat(72_000)}1]` }
      const { name, uid } = value(await runs().createRun({ name: 'contract-c', spec }))
      value(await runs().setRunStatus({ name, uid }, STATUS))
      expect((await now(name)).spec).toEqual(spec)
    })

    it('is refused or loses the field if a field is unknown', async () => {
      const answer = await post({ ...SPEC, force: true }, { fieldValidation: 'Strict' })
      if (answer.ok) expect(JSON.stringify((answer.value as { spec: object }).spec)).not.toContain('force')
      else expect(answer.failure.message).toContain('spec.force')
    })

    it('never changes, except for its labels, if the API server enforces rules', async () => {
      await made()
      const changed = await patch('contract-a', { spec: { confirmedBy: 'mallory' } })
      if (target().hasRules) {
        const refused = failureOf(changed)
        expect(refused.code).toBe('bad-input')
        expect(refused.message).toContain('What was confirmed cannot be changed')
        expect((await now('contract-a')).spec).toEqual(SPEC)
      } else value(changed)
      value(await patch('contract-a', { metadata: { labels: { note: 'mine' } } }))
    })
  })

  describe('its status', () => {
    it('is written only by its subresource, which writes nothing else', async () => {
      const { name, uid } = await made()
      value(await patch(name, { status: STATUS }))
      expect((await now(name)).status).toBeNull()
      value(
        await patch(`${name}/status`, {
          spec: { confirmedBy: 'mallory' },
          status: { phase: 'Pending', nodesDone: 0, nodesAll: 1, lastSeq: 0 },
        }),
      )
      expect(await now(name)).toMatchObject({ uid, spec: SPEC, status: { phase: 'Pending', message: '' } })
    })

    it('contains the reason of a refusal with nested values, some of them null', async () => {
      const { name, uid } = await made()
      const call = {
        code: 'AskApiServer',
        values: { verb: 'list', namespace: null, name: null },
        message: 'list nodes',
      }
      const why = {
        code: 'CredentialsMayNot',
        values: { call, offered: [{ region: null, name: 'a' }] },
        message: 'It may not.',
      }
      const status = statusUnbegun('Refused', [why], { nodesAll: 1, driver: null })
      value(await runs().setRunStatus({ name, uid }, status))
      expect((await now(name)).status).toEqual(status)
    })

    it('is replaced by the written status, whatever it was', async () => {
      const run = await made()
      value(await runs().setRunStatus(run, STATUS))
      expect((await now(run.name)).status).toEqual(STATUS)
      const waiting: MaintenanceRunStatus = {
        ...STATUS,
        phase: 'Waiting',
        gateId: 'g-1',
        driver: null,
        head: null,
        message: '',
      }
      value(await runs().setRunStatus(run, waiting))
      expect((await now(run.name)).status).toEqual(waiting)
    })

    it('is not sent again if it is unchanged', async () => {
      const run = await made()
      value(await runs().setRunStatus(run, STATUS))
      const { resourceVersion } = await now(run.name)
      value(await runs().setRunStatus(run, STATUS))
      expect((await now(run.name)).resourceVersion).toBe(resourceVersion)
    })

    it('is written to exactly this object: another one with its name is a conflict, a missing one is not found', async () => {
      const { name } = await made()
      expect(failureOf(await runs().setRunStatus({ name, uid: NO_SUCH_UID }, STATUS)).code).toBe('conflict')
      expect((await now(name)).status).toBeNull()
      const none = { name: 'contract-none', uid: NO_SUCH_UID }
      expect(failureOf(await runs().setRunStatus(none, STATUS)).code).toBe('not-found')
    })

    it('is written only on the version that was read, on request: one of two readers wins', async () => {
      const run = await made()
      const claim = (runner: string) => ({ ...STATUS, driver: { runner, id: runner, epoch: 1 } })
      const seen = (await now(run.name)).resourceVersion
      const answers = await Promise.all(['a/1', 'b/2'].map(by => runs().setRunStatus(run, claim(by), { seen, by })))
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
      const winner = answers[0]?.ok === true ? 'a/1' : 'b/2'
      expect((await now(run.name)).status).toMatchObject({ driver: { runner: winner } })
    })

    it('of another runner is not overwritten by a runner that gives its name', async () => {
      const run = await made()
      value(await runs().setRunStatus(run, { ...STATUS, driver: { runner: 'a/1', id: 'x', epoch: 1 } }, { by: 'a/1' }))
      expect(failureOf(await runs().setRunStatus(run, STATUS, { by: 'b/2' })).code).toBe('held')
      value(await runs().setRunStatus(run, STATUS, { by: 'a/1' }))
    })

    it('is complete when two write at the same time', async () => {
      const run = await made()
      const other = { ...STATUS, phase: 'Paused' as const, lastSeq: 118, driver: null }
      const answers = await Promise.all([STATUS, other, STATUS, other].map(each => runs().setRunStatus(run, each)))
      for (const answer of answers) value(answer)
      expect([STATUS, other]).toContainEqual((await now(run.name)).status)
    })

    it('is refused with an invalid phase', async () => {
      const { name } = await made()
      const refused = await patch(`${name}/status`, {
        status: { phase: 'Sleeping', nodesDone: 0, nodesAll: 0, lastSeq: 0 },
      })
      expect(failureOf(refused).message).toContain('status.phase')
    })
  })

  it('a control is created once, and its status has the answer', async () => {
    const spec = {
      run: 'contract-a',
      control: 'answer',
      by: 'ada',
      reason: 'budget is fine now',
      gateId: 'g-1',
      choice: 'retry',
    } as const
    const made = value(await runs().createControl({ name: 'contract-k', spec }))
    expect(made).toMatchObject({ name: 'contract-k', spec, status: null })
    expect(failureOf(await runs().createControl({ name: 'contract-k', spec })).code).toBe('conflict')
    const status = { outcome: 'Accepted', message: 'Tried again.', at: '2026-11-25T09:10:00.000Z' } as const
    value(await runs().setControlStatus(made, status))
    expect(value(await runs().objects()).controls).toContainEqual({ ...made, status })
    const bare = value(
      await runs().createControl({
        name: 'contract-l',
        spec: { run: 'contract-a', control: 'pause', by: 'ada', reason: '' },
      }),
    )
    expect(bare.spec).toEqual({ run: 'contract-a', control: 'pause', by: 'ada', reason: '' })
    expect(failureOf(await runs().setControlStatus({ ...made, uid: NO_SUCH_UID }, status)).code).toBe('conflict')
  })

  describe('a MaintenanceCampaign', () => {
    const CAMPAIGN = MaintenanceCampaignSpec.parse({
      batches: [{ name: 'edge', runs: ['contract-a', 'contract-b'], atOnce: 1 }, { runs: ['contract-c'] }],
      failureBudget: 1,
      confirmedBy: 'ada',
    })
    const BEGUN = MaintenanceCampaignStatus.parse({
      phase: 'Paused',
      batch: 1,
      batchesAll: 2,
      runsDone: 1,
      runsFailed: 0,
      runsAll: 3,
      message: 'Paused by ada.',
      released: ['contract-b'],
      ended: [{ run: 'contract-a', phase: 'Done' }],
      hold: { kind: 'paused', by: 'ada', reason: 'freeze' },
      heard: [{ uid: NO_SUCH_UID, outcome: 'Refused', message: 'It is paused.' }],
      driver: { runner: 'lockkeeper-runner-0', id: 'd-1', epoch: 2 },
      startedAt: '2026-11-25T09:00:00.000Z',
    })
    const asked = async () => value(await runs().createCampaign({ name: 'contract-n', spec: CAMPAIGN }))
    const postCampaign = (spec: object) =>
      target().session.request({
        method: 'POST',
        path: folder('maintenancecampaigns'),
        body: { apiVersion: API_VERSION, kind: 'MaintenanceCampaign', metadata: { name: 'contract-n' }, spec },
      })

    it('can be read back unchanged, and is created once', async () => {
      const campaign = await asked()
      expect(campaign).toMatchObject({ name: 'contract-n', spec: CAMPAIGN, status: null })
      expect(value(await runs().campaign('contract-n'))).toEqual(campaign)
      expect(value(await runs().campaigns())).toContainEqual(campaign)
      expect(failureOf(await runs().createCampaign({ name: 'contract-n', spec: CAMPAIGN })).code).toBe('conflict')
      expect(value(await runs().campaign('contract-none'))).toBeNull()
    })

    it.each<[string, object]>([
      ['no batch', { batches: [] }],
      ['a batch of no runs', { batches: [{ runs: [] }] }],
      ['a run twice in a batch', { batches: [{ runs: ['a', 'a'] }] }],
      ['none at a time', { batches: [{ runs: ['a'], atOnce: 0 }] }],
      ['a budget below nothing', { failureBudget: -1 }],
      ['no name of who asks', { confirmedBy: undefined }],
    ])('with %s is refused', async (_, change) => {
      expect(failureOf(await postCampaign({ ...CAMPAIGN, ...change })).code).toBe('bad-input')
    })

    it('is written only on the version that was read', async () => {
      const campaign = await asked()
      const begun = value(await runs().setCampaignStatus(campaign, BEGUN))
      expect(begun.status).toEqual(BEGUN)
      const stopped: MaintenanceCampaignStatus = { ...BEGUN, hold: { kind: 'stopped' }, released: [], driver: null }
      expect(failureOf(await runs().setCampaignStatus(campaign, stopped)).code, 'it changed since').toBe('conflict')
      expect(value(await runs().setCampaignStatus(begun, stopped)).status).toEqual(stopped)
      const none = { ...campaign, name: 'contract-none' }
      expect(failureOf(await runs().setCampaignStatus(none, BEGUN)).code).toBe('not-found')
    })

    it('is paused by a control that names it without a run', async () => {
      const spec = { campaign: 'contract-n', control: 'pause', by: 'ada', reason: 'freeze' } as const
      const made = value(await runs().createControl({ name: 'contract-k', spec }))
      expect(made.spec).toEqual(spec)
      if (!target().hasRules) return
      const both = await runs().createControl({ name: 'contract-l', spec: { ...spec, run: 'contract-a' } })
      expect(failureOf(both).message).toContain('name a run or a campaign, and not both')
    })
  })

  it('a watch sends all objects, then changes, then deletions', async () => {
    await made()
    const scope = new AbortController()
    let latest: RunnerObjects | null = null
    let state = ''
    const ended = runs().watch(
      {
        onObjects: objects => {
          latest = objects
        },
        onState: ({ kind }) => {
          state = kind
        },
      },
      scope.signal,
    )
    const seen = (what: string, look: (objects: RunnerObjects) => boolean) =>
      until(what, async () => (latest !== null && look(latest) ? true : null))
    const ours = ({ runs: all }: RunnerObjects) => all.filter(({ name }) => name.startsWith('contract-'))
    await seen('the run is reported', objects => ours(objects).length === 1)
    await until('the watch is live', async () => (state === 'live' ? true : null))
    value(await runs().setRunStatus(await now('contract-a'), STATUS))
    await seen('its status is reported', objects => {
      const status = ours(objects)[0]?.status ?? null
      return status !== null && 'phase' in status && status.phase === 'Running'
    })
    await made('contract-b')
    await seen('both are reported', objects => ours(objects).length === 2)
    await target().session.request({ method: 'DELETE', path: `${folder('maintenanceruns')}/contract-a` })
    await seen(
      'one is gone',
      objects =>
        ours(objects)
          .map(({ name }) => name)
          .join() === 'contract-b',
    )
    scope.abort()
    await ended
  })

  it('the API server reports the user, if it can', async () => {
    const { user } = target()
    const said = await runs().whoAmI()
    if (user === undefined) expect(failureOf(said).code).toBe('unreadable')
    else expect(value(said)).toBe(user)
  })
}
