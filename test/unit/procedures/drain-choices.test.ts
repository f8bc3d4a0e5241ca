import { describe, expect, it } from 'vitest'
import { type DaemonSetAnswer, decideDrain } from '../../../main/adapters/kubernetes/drain-filters.ts'
import {
  budgetBlockers,
  budgetWarnings,
  finalizerWarnings,
  podBlockers,
  podEffect,
} from '../../../main/procedures/steps/general/drain-choices.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { BudgetState, EvictionAnswer, Pod } from '../../../shared/domain/kubernetes.ts'
import { because } from '../../../shared/words/reasons.ts'
import { DEFAULTS } from '../../fixtures/kubernetes/drains.ts'
import { decision, fakePod } from '../../fixtures/procedures/fake-world.ts'

const SCRATCH = { emptyDirs: ['scratch'] }
const BARE = fakePod('bare', { controller: null })
const BARE_SCRATCH = fakePod('bare-scratch', { ...SCRATCH, controller: null })
const ORPHAN = daemonPod('orphan', 'gone')
const ORPHAN_SCRATCH = { ...daemonPod('orphan-scratch', 'gone'), ...SCRATCH }
const UNREAD = daemonPod('unread', 'secret')

type Flag = 'force' | 'deleteEmptyDirData'

function daemonPod(name: string, daemonSet: string): Pod {
  return fakePod(name, { controller: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: daemonSet, uid: daemonSet } })
}

/** What blocks the drain of this pod when these flags are given: code, and whether --force is offered for it. */
function blockersOf(pod: Pod, flags: readonly Flag[]): readonly string[] {
  const options = { ...DEFAULTS, ...Object.fromEntries(flags.map(flag => [flag, true])) }
  const key = (name: string) => `${pod.namespace}/${name}`
  const daemonSets = new Map<string, DaemonSetAnswer>([
    [key('gone'), { kind: 'missing', why: because('DaemonSetMissing', { daemonSet: 'gone' }) }],
    [key('secret'), { kind: 'unknown', why: because('EvictionRefused', { cause: 'the API server did not answer' }) }],
  ])
  return decideDrain([pod], { options, now: 0, daemonSets, leaveBy: 'evict', budgets: [] })
    .flatMap(podBlockers)
    .map(({ code, override }) => `${code}: ${override.kind === 'flag' ? override.flag : 'never by force'}`)
}

const NAKED = 'PodWithoutController: force'
const VANISHED = 'PodOfVanishedDaemonSet: force'
const LOCAL = 'PodWithEmptyDir: never by force'
const UNKNOWN = 'DaemonSetNotKnown: never by force'

describe('a flag is offered only for what it lifts (kubectl filters.go:163-250; docs/drain.md 5.2 filters 2, 4 and 5, V12)', () => {
  it.each<{ pod: Pod; none: string[]; force: string[]; emptyDir: string[]; both: string[] }>([
    { pod: BARE, none: [NAKED], force: [], emptyDir: [NAKED], both: [] },
    { pod: BARE_SCRATCH, none: [LOCAL, NAKED], force: [LOCAL], emptyDir: [NAKED], both: [] },
    { pod: ORPHAN, none: [VANISHED], force: [], emptyDir: [VANISHED], both: [] },
    { pod: ORPHAN_SCRATCH, none: [VANISHED, LOCAL], force: [LOCAL], emptyDir: [VANISHED], both: [] },
    { pod: UNREAD, none: [UNKNOWN], force: [UNKNOWN], emptyDir: [UNKNOWN], both: [UNKNOWN] },
  ])('$pod.name', ({ pod, none, force, emptyDir, both }) => {
    expect(blockersOf(pod, [])).toEqual(none)
    expect(blockersOf(pod, ['force'])).toEqual(force)
    expect(blockersOf(pod, ['deleteEmptyDirData'])).toEqual(emptyDir)
    expect(blockersOf(pod, ['force', 'deleteEmptyDirData'])).toEqual(both)
  })
})

describe('a pod of a plan has the code of its reason', () => {
  it.each<{ why: string; pod: Pod; effect: object }>([
    {
      why: 'it stays',
      pod: fakePod('mirror', { mirror: true }),
      effect: { fate: 'keep', code: 'PodFromFile', values: {} },
    },
    { why: 'it blocks', pod: BARE_SCRATCH, effect: { fate: 'block', code: 'PodHasLocalStorage', values: {} } },
  ])('$why', ({ pod, effect }) => {
    const setting = { options: DEFAULTS, now: 0, daemonSets: new Map(), leaveBy: 'evict', budgets: [] } as const
    expect(decideDrain([pod], setting).map(decided => podEffect(decided))).toMatchObject([effect])
  })

  it('one that leaves has none', () => {
    expect(podEffect(decision(fakePod('leaving'), { fate: 'evict' }))).not.toHaveProperty('code')
  })
})

describe('what a plan says of budgets (docs/drain.md 5.5): what the API server said when it was tried comes first', () => {
  const spent = { name: 'api', disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2 }
  const refused: EvictionAnswer = { kind: 'refused', sentence: 'The disruption budget api says no', retryAfterMs: null }
  const failed: EvictionAnswer = { kind: 'failed', failure: failure('unreachable', 'nobody answered') }
  const never: EvictionAnswer = { kind: 'failed', failure: failure('conflict', 'it is forbidden') }
  const numbers =
    'Budget api allows no disruption of openstack/api now (1 healthy, 2 needed): the drain will wait for it.'

  it.each<
    [rule: string, status: BudgetState, dryRun: EvictionAnswer | null, says: readonly string[], shown: BudgetState]
  >([
    ['spent, and accepted: the pod is evicted past it', 'refuses', { kind: 'accepted' }, [], 'passed'],
    ['behind when it was read, and accepted', 'behind', { kind: 'accepted' }, [], 'passed'],
    [
      'room, and refused',
      'allows',
      refused,
      ['Kubernetes would refuse to evict openstack/api now: The disruption budget api says no'],
      'refuses',
    ],
    [
      'spent, and refused',
      'refuses',
      refused,
      ['Kubernetes would refuse to evict openstack/api now: The disruption budget api says no'],
      'refuses',
    ],
    ['spent, and not tried', 'refuses', null, [numbers], 'refuses'],
    ['spent, and the try got no answer', 'refuses', failed, [numbers], 'refuses'],
    [
      'refused for good',
      'refuses',
      never,
      ['The eviction of openstack/api would fail now: it is forbidden'],
      'refuses',
    ],
    ['evicted past it, and not tried', 'passed', null, [], 'passed'],
    [
      'behind, and not tried',
      'behind',
      null,
      ['Kubernetes is still processing budget api: the drain will wait for openstack/api.'],
      'behind',
    ],
    ['room, and not tried', 'allows', null, [], 'allows'],
  ])('%s', (_, status, dryRun, says, shown) => {
    const one = decision(fakePod('api'), { budgets: [{ ...spent, status }], dryRun })
    expect(budgetWarnings([one]).map(({ message }) => message)).toEqual(says)
    expect(podEffect(one)).toMatchObject({ budgets: [{ name: 'api', status: shown }] })
  })

  it.each<[rule: string, dryRun: EvictionAnswer | null, pod: Partial<Pod>, blocks: boolean]>([
    ['two guard it', null, {}, true],
    ['two guard it, and nobody knows how the pod is', null, { phase: 'Unknown' }, true],
    ['two guard it, and it has not begun', null, { phase: 'Pending' }, false],
    ['two seem to guard it, and the API server accepts its eviction', { kind: 'accepted' }, {}, false],
  ])('%s', (_, dryRun, pod, blocks) => {
    const budgets = ['a', 'b'].map(name => ({ ...spent, name, status: 'allows' as const }))
    const blockers = budgetBlockers([decision(fakePod('api', pod), { budgets, dryRun })])
    expect(blockers.map(({ code }) => code)).toEqual(blocks ? ['PodWithTwoBudgets'] : [])
  })
})

describe('finalizers that keep a pod are named in the plan', () => {
  it.each<[finalizers: readonly string[], onPod: readonly string[], onStep: readonly string[]]>([
    [[], [], []],
    [['batch.kubernetes.io/job-tracking'], [], []],
    [
      ['example.com/backup', 'batch.kubernetes.io/job-tracking'],
      ['it stays until its finalizer example.com/backup is removed'],
      [
        'Pod openstack/api stays until its finalizer example.com/backup is removed by the program that set it: the drain will wait for that.',
      ],
    ],
    [
      ['a.b/c', 'd.e/f'],
      ['it stays until its finalizers a.b/c and d.e/f are removed'],
      [
        'Pod openstack/api stays until its finalizers a.b/c and d.e/f are removed by the program that set them: the drain will wait for that.',
      ],
    ],
  ])('%s', (finalizers, onPod, onStep) => {
    const setting = { options: DEFAULTS, now: 0, daemonSets: new Map(), leaveBy: 'evict' as const, budgets: [] }
    const decisions = decideDrain([fakePod('api', { finalizers })], setting)
    expect(decisions.flatMap(({ warnings }) => warnings)).toEqual(onPod)
    expect(finalizerWarnings(decisions).map(({ message }) => message)).toEqual(onStep)
  })

  it('not of a pod that stays', () => {
    const setting = { options: DEFAULTS, now: 0, daemonSets: new Map(), leaveBy: 'evict' as const, budgets: [] }
    const mirror = fakePod('etcd', { finalizers: ['a.b/c'], mirror: true })
    expect(decideDrain([mirror], setting).flatMap(({ warnings }) => warnings)).toEqual([])
  })
})
