import { describe, expect, test } from 'vitest'
import {
  type EmptinessReading,
  emptinessOf,
  isAsAgreed,
  isForcedDown,
  returnOf,
  serviceOf,
} from '../../../shared/domain/node-verdict.ts'

const AT = '2026-11-28T06:00:00.000Z'

function instance(
  more: Partial<
    EmptinessReading['instances'] extends readonly (infer Each)[] | null
      ? Each extends { instance: infer I }
        ? I
        : never
      : never
  > = {},
) {
  return {
    id: 'id-web',
    name: 'web-01',
    status: 'ACTIVE',
    vmState: 'active',
    taskState: null,
    ...more,
  }
}

function reading(more: Partial<EmptinessReading> = {}): EmptinessReading {
  return {
    at: AT,
    instances: [],
    returning: [],
    pods: [],
    unread: [],
    looked: [{ what: 'instances', by: 'Nova', at: AT }],
    declined: [],
    isDrainOnly: false,
    isForcedDown: false,
    decided: new Map(),
    ...more,
  }
}

const LEFT = new Map([['id-web', { by: 'olga', at: AT, reason: 'its owner agreed' }]])

describe('why an instance keeps its node from being empty', () => {
  test.each<
    [
      code: string,
      instance: Parameters<typeof instance>[0],
      fate: 'live_migrate' | 'poweroff' | 'notify' | 'ignore' | 'blocked',
      more: Partial<EmptinessReading>,
    ]
  >([
    ['StillRuns', {}, 'live_migrate', {}],
    ['LeftHere', {}, 'live_migrate', { decided: LEFT }],
    // Decided or not, what is off takes nothing from its owner.
    ['LeftHere', {}, 'blocked', { decided: LEFT }],
    ['StopsWithNode', {}, 'poweroff', {}],
    ['WaitsForOwner', {}, 'notify', {}],
    ['StaysByScope', {}, 'live_migrate', { isDrainOnly: true }],
    ['NotRescued', {}, 'poweroff', { isForcedDown: true }],
    ['LeftHere', {}, 'live_migrate', { isForcedDown: true, decided: LEFT }],
    ['Busy', { taskState: 'migrating' }, 'blocked', {}],
    ['InError', { status: 'ERROR', vmState: 'error' }, 'blocked', {}],
    ['Busy', { status: 'SOFT_DELETED', vmState: 'soft-delete', taskState: 'restoring' }, 'ignore', {}],
    // Nova calls it shut off while it builds; it will run there.
    ['Arriving', { status: 'BUILD', vmState: 'building', taskState: 'spawning' }, 'ignore', {}],
  ])('%s: %j, whose host would do %s', (code, more, fate, rest) => {
    const verdict = emptinessOf(reading({ instances: [{ instance: instance(more), fate }], ...rest }))
    expect(verdict).toMatchObject({ kind: 'NotEmpty', instances: [{ id: 'id-web', code }] })
  })

  test('it has who left it there, when and why', () => {
    const verdict = emptinessOf(reading({ instances: [{ instance: instance(), fate: 'live_migrate' }], decided: LEFT }))
    expect(verdict).toMatchObject({ instances: [{ decided: { by: 'olga', at: AT, reason: 'its owner agreed' } }] })
  })
})

describe('a node is empty', () => {
  test('with instances that are off: they are named', () => {
    const off = {
      instance: instance({ status: 'SHUTOFF', vmState: 'stopped' }),
      fate: 'ignore' as const,
    }
    expect(emptinessOf(reading({ instances: [off] }))).toMatchObject({ kind: 'Empty', off: [{ name: 'web-01' }] })
  })

  test.each<[what: string, more: Partial<EmptinessReading>]>([
    ['an instance comes', { returning: [{ instance: instance(), code: 'Arriving' }] }],
    ['one may be reverted', { returning: [{ instance: instance(), code: 'AwaitsConfirmation' }] }],
    ['a pod that had to leave is there', { pods: ['default/web'] }],
  ])('never while %s', (_, more) => {
    expect(emptinessOf(reading(more)).kind).toBe('NotEmpty')
  })

  test('never by what was not read', () => {
    const unread = [{ what: 'migrations', code: 'NoAnswer', message: 'Nova does not answer.' } as const]
    expect(emptinessOf(reading({ unread }))).toMatchObject({ kind: 'Unknown', unread })
  })

  test('known instances are named beside what is unknown', () => {
    const unread = [{ what: 'pods', code: 'NoAnswer', message: '' } as const]
    const verdict = emptinessOf(
      reading({ instances: [{ instance: instance(), fate: 'live_migrate' }], pods: null, unread }),
    )
    expect(verdict).toMatchObject({ kind: 'NotEmpty', unread })
  })
})

describe('what a migration says of an instance elsewhere', () => {
  const resize = { type: 'resize', sourceHost: 'cmp-01', destHost: 'cmp-02' } as const
  const live = { type: 'live-migration', sourceHost: 'cmp-02', destHost: 'cmp-01' } as const
  test.each([
    ['AwaitsConfirmation', { ...resize, status: 'finished' }, { vmState: 'resized', taskState: null }],
    ['AwaitsConfirmation', { ...resize, status: 'post-migrating' }, { vmState: 'active', taskState: 'resize_finish' }],
    ['Arriving', { ...resize, status: 'reverting' }, { vmState: 'resized', taskState: 'resize_reverting' }],
    // Nova writes this when the destination releases it, before its source has it again.
    ['Arriving', { ...resize, status: 'reverted' }, { vmState: 'resized', taskState: 'resize_reverting' }],
    [null, { ...resize, status: 'reverted' }, { vmState: 'active', taskState: null }],
    [null, { ...resize, status: 'confirmed' }, { vmState: 'active', taskState: null }],
    // Its owner resized it again elsewhere since: that record is of another host.
    [null, { ...resize, sourceHost: 'cmp-03', status: 'finished' }, { vmState: 'resized', taskState: null }],
    ['Arriving', { ...live, status: 'running' }, { vmState: 'active', taskState: 'migrating' }],
    // A record that a crash left behind, and an instance that Nova does not work on.
    [null, { ...live, status: 'running' }, { vmState: 'active', taskState: null }],
    [null, { ...live, status: 'completed' }, { vmState: 'active', taskState: 'migrating' }],
    // It leaves.
    [
      null,
      { ...live, sourceHost: 'cmp-01', destHost: 'cmp-02', status: 'running' },
      { vmState: 'active', taskState: 'migrating' },
    ],
  ] as const)('%s: %j of one that is %j', (code, migration, of) => {
    expect(returnOf(migration, of, 'cmp-01')).toBe(code)
  })
})

describe('a node that was brought back', () => {
  test('is in service unless something else keeps work off it', () => {
    const looked = [{ what: 'node', by: 'Kubernetes', at: AT } as const]
    expect(serviceOf({ at: AT, looked, unread: [], by: [], taints: [] }).kind).toBe('InService')
    const by = [{ code: 'ComputeDisabled', reason: 'hardware' } as const]
    const unread = [{ what: 'node', code: 'NoAnswer', message: '' } as const]
    expect(serviceOf({ at: AT, looked, unread, by, taints: [] })).toMatchObject({ kind: 'HeldBack', by })
    expect(serviceOf({ at: AT, looked, unread, by: [], taints: [] }).kind).toBe('Unknown')
  })
})

describe('a machine that is forced down', () => {
  const service = { forcedDown: true, state: 'down' as const }
  test.each([
    ['Kubernetes does not hear from it', service, 'unknown', true],
    ['Kubernetes says that it is not ready', service, 'not-ready', true],
    ['its kubelet still reports', service, 'ready', false],
    ['nova-compute is only down', { ...service, forcedDown: false }, 'unknown', false],
    ['Nova has no service of it', null, 'unknown', false],
  ] as const)('%s', (_, of, readiness, is) => {
    expect(isForcedDown(of, { readiness })).toBe(is)
  })

  test('its pods are agreed to stay, an instance is not', () => {
    expect(isAsAgreed(emptinessOf(reading({ isForcedDown: true, pods: ['default/a'] })))).toBe(true)
    expect(
      emptinessOf(
        reading({
          isForcedDown: true,
          pods: ['default/a'],
          unread: [{ what: 'instances', code: 'NoAnswer', message: '' }],
        }),
      ),
      'what was not read may run',
    ).not.toHaveProperty('forcedDown')
    const here = reading({ isForcedDown: true, instances: [{ instance: instance(), fate: 'poweroff' }] })
    expect(isAsAgreed(emptinessOf(here))).toBe(false)
  })
})
