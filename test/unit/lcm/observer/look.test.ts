import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SeenCluster } from '../../../../main/lcm/observer/derive.ts'
import { type Knowledge, knowledgeFrom, NO_KNOWLEDGE } from '../../../../main/lcm/observer/knowledge.ts'
import { observeChanges } from '../../../../main/lcm/observer/look.ts'
import { must } from '../../../../shared/domain/must.ts'
import { Observation } from '../../../../shared/domain/observation.ts'
import { type UpdateMoment, UpdateTimeline } from '../../../../shared/domain/update.ts'
import { applyMoment, beginTimeline } from '../../../../shared/domain/update-fold.ts'
import { at, clusterLock, clusterRequest, node, nodeLock, nodeRequest, seen, T0 } from './seen.ts'

/** A whole update as its objects show it, one state a minute: ctl-1 (with a lock), ctl-2 (without), cmp-1, cmp-2. */
function wholeUpdate(): readonly SeenCluster[] {
  const locked = ['ctl-1', 'cmp-1', 'cmp-2']
  const names = ['ctl-1', 'ctl-2', 'cmp-1', 'cmp-2']
  interface Now {
    readonly is?:
      | 'requested'
      | 'begun'
      | 'released'
      | 'cordoned'
      | 'empty'
      | 'rebooted'
      | 'uncordoned'
      | 'going'
      | 'gone'
    readonly name: string
  }
  const state = (now: Now | null, cluster: 'asked' | 'on' | 'going'): SeenCluster => {
    const { is = '', name = '' } = now ?? {}
    const isRequested = locked.includes(name) && is !== 'gone'
    const isReleased = locked.includes(name) && !['requested', 'begun'].includes(is)
    const isCordoned = ['cordoned', 'empty', 'rebooted'].includes(is)
    return seen({
      nodes: names.map(each =>
        each === name
          ? node(each, { unschedulable: isCordoned, ...(is === 'rebooted' ? { ready: false } : {}) })
          : node(each),
      ),
      pods: new Map(names.map(each => [each, new Set(each === name && is === 'empty' ? [] : [`pod of ${each}`])])),
      objects: {
        clusterLocks: ['openstack', 'ceph'].map(each => clusterLock(each, cluster === 'asked' ? 'active' : 'inactive')),
        clusterRequests: [clusterRequest(cluster === 'going' ? { deletingSince: at(0) } : {})],
        nodeLocks: locked.map(each =>
          nodeLock('openstack', each, each === name && isReleased ? 'inactive' : 'active', {
            innerState: each === name && is === 'begun' ? 'active' : null,
          }),
        ),
        nodeRequests: isRequested ? [nodeRequest(name, is === 'going' ? { deletingSince: at(0) } : {})] : [],
      },
    })
  }
  const way = (name: string) =>
    (locked.includes(name)
      ? (['requested', 'begun', 'released', 'cordoned', 'empty', 'rebooted', 'uncordoned', 'going', 'gone'] as const)
      : (['cordoned', 'empty', 'rebooted'] as const)
    ).map(is => state({ name, is }, 'on'))
  const idle = seen({ objects: { clusterRequests: [], clusterLocks: [clusterLock('openstack'), clusterLock('ceph')] } })
  return [
    idle,
    state(null, 'asked'),
    state(null, 'on'),
    ...names.flatMap(name => [...way(name), state(null, 'on')]),
    state(null, 'going'),
    idle,
  ]
}

interface Watched {
  readonly knowledge: Knowledge
  readonly timeline: UpdateTimeline | null
  readonly moments: readonly UpdateMoment[]
}
const NOTHING: Watched = { knowledge: NO_KNOWLEDGE, timeline: null, moments: [] }

function watched(before: Watched, cluster: SeenCluster, minute: number): Watched {
  const found = observeChanges(cluster, before.knowledge, T0 + minute * 60_000)
  let { timeline } = before
  for (const moment of found.ended) timeline = timeline === null ? null : applyMoment(timeline, moment)
  if (found.begun !== null) timeline = beginTimeline({ kind: 'observed', since: at(minute * 60) }, found.nodes)
  for (const moment of found.moments) timeline = applyMoment(must(timeline, 'begun first'), moment)
  return { knowledge: found.knowledge, timeline, moments: [...before.moments, ...found.ended, ...found.moments] }
}
const watch = (states: readonly SeenCluster[], from = 0, begin = NOTHING) =>
  states.reduce((so, cluster, index) => watched(so, cluster, from + index), begin)
const stagesOf = (timeline: UpdateTimeline | null, name: string) =>
  timeline?.lanes.find(lane => lane.node === name)?.spans.map(({ stage }) => stage)

describe('an update that was seen from its beginning to its end', () => {
  const { timeline, moments } = watch(wholeUpdate())

  test('has the five phases of seed 003, in their order', () => {
    expect(moments.flatMap(each => (each.kind === 'phase' ? [each.phase] : []))).toEqual([
      'prepare',
      'applications',
      'control-nodes',
      'worker-nodes',
      'finalize',
    ])
    expect(timeline).toMatchObject({ phase: null, endedAt: at((wholeUpdate().length - 1) * 60) })
  })

  test('has every stage of every node, one after the other', () => {
    const whole = ['requested', 'locks', 'draining', 'work', 'returning', 'done']
    for (const name of ['ctl-1', 'cmp-1', 'cmp-2']) expect(stagesOf(timeline, name)).toEqual(whole)
    expect(stagesOf(timeline, 'ctl-2')).toEqual(['draining', 'work', 'returning', 'done'])
  })
})

test('a look that brings nothing new tells nothing', () => {
  for (const [minute, cluster] of wholeUpdate().entries()) {
    const before = watch(wholeUpdate().slice(0, minute + 1))
    expect(watched(before, cluster, minute).moments.slice(before.moments.length)).toEqual([])
  }
})

test('who begins to look in the middle sees the same phase, and the stage of every node under way', () => {
  const states = wholeUpdate()
  for (const minute of states.keys()) {
    const early = watch(states.slice(0, minute + 1)).timeline
    const late = watch(states.slice(minute, minute + 1), minute).timeline
    if (early?.phase === null || early === null) continue
    for (const lane of late?.lanes ?? []) {
      const known = early.lanes.find(({ node: name }) => name === lane.node)
      // What a node was through before anybody looked leaves no trace; released and schedulable, it is about to be drained for them.
      const isJustUncordoned = known?.stage === 'returning' && lane.stage === 'draining'
      if (lane.stage !== 'pending' && !isJustUncordoned) expect([minute, lane.stage]).toEqual([minute, known?.stage])
    }
    const underWay = early.lanes.some(({ stage }) => stage !== 'pending' && stage !== 'done')
    // A control node without a lock that is back leaves no trace either.
    if (underWay && late?.lanes.some(({ stage }) => stage !== 'pending')) {
      expect([minute, late.phase]).toEqual([minute, early.phase])
    }
  }
})

test('after a restart at any time it continues as if nothing had happened', () => {
  const states = wholeUpdate()
  const whole = must(watch(states).timeline, 'an update')
  for (let minute = 1; minute < states.length - 1; minute += 1) {
    const before = watch(states.slice(0, minute + 1))
    const timeline = must(before.timeline, 'an update')
    const knowledge = must(knowledgeFrom('cmr-1', timeline), 'it is under way')
    const after = watch(states.slice(minute + 1), minute + 1, { ...before, knowledge })
    expect(after.timeline?.phases).toEqual(whole.phases)
    for (const lane of after.timeline?.lanes ?? []) {
      expect([minute, lane.node, stagesOf(after.timeline, lane.node)]).toEqual([
        minute,
        lane.node,
        stagesOf(whole, lane.node),
      ])
    }
  }
})

test('stages that were too short to be seen were passed all the same', () => {
  const states = wholeUpdate()
  // Asked for, given up, drained, worked on and back between two looks.
  const { timeline } = watch([...states.slice(0, 3), states[9] ?? seen(), states[12] ?? seen()])
  expect(stagesOf(timeline, 'ctl-1')).toEqual(['requested', 'locks', 'draining', 'returning', 'done'])
})

test('that one request follows another at once begins another update', () => {
  const another = seen({ objects: { clusterRequests: [clusterRequest({ uid: 'cmr-2' })] } })
  const found = watch([...wholeUpdate().slice(0, 8), another])
  expect(found.knowledge.update?.id).toBe('cmr-2')
  expect(found.moments.some(({ kind }) => kind === 'over')).toBe(true)
  expect(found.timeline?.lanes.every(({ stage }) => stage === 'pending')).toBe(true)
})

test('a node that comes back from one update does not belong to the next, though its last lock is seen late', () => {
  const locked = (uid: string, state: 'active' | 'inactive', requests = [nodeRequest('cmp-1')]) =>
    seen({
      objects: {
        clusterRequests: [clusterRequest({ uid })],
        nodeLocks: [nodeLock('openstack', 'cmp-1', state)],
        nodeRequests: requests,
      },
    })
  const found = watch([
    locked('cmr-1', 'inactive'),
    locked('cmr-1', 'inactive', []),
    locked('cmr-2', 'inactive', []),
    locked('cmr-2', 'active', []),
  ])
  expect(found.knowledge.update?.id).toBe('cmr-2')
  expect(stagesOf(found.timeline, 'cmp-1')).toEqual([])
})

test('an entry of LCM in the second of a new request belongs to the update before', () => {
  const said = (at: string) =>
    seen({
      nodes: [node('cmp-1')],
      objects: {
        clusterRequests: [clusterRequest({ createdAt: '2035-05-05T05:05:05Z' })],
        nodeLocks: [nodeLock('openstack', 'cmp-1')],
      },
      lcm: { phase: null, done: [], upgraded: [{ machine: 'cmp-1', at, said: 'k8s-workers Completed' }] },
    })
  expect(stagesOf(watch([said('2035-05-05T05:05:05.900Z')]).timeline, 'cmp-1')).toEqual([])
  expect(stagesOf(watch([said('2035-05-05T05:05:06Z')]).timeline, 'cmp-1')).toEqual(['done'])
})

test('a request of a node that follows another at once is reported, so that a restart does not mix up what was seen under the two', () => {
  const objects = (uid: string, lock: 'active' | 'inactive') => ({
    nodeRequests: [nodeRequest('cmp-1', { uid })],
    nodeLocks: [nodeLock('openstack', 'cmp-1', lock, { errorMessage: 'Starting migration for a' })],
  })
  const before = watch([
    seen({ objects: { ...objects('one', 'active'), nodeRequests: [] } }),
    seen({ objects: objects('one', 'inactive') }),
    seen({ objects: objects('two', 'active') }),
  ])
  expect(stagesOf(before.timeline, 'cmp-1')).toEqual(['requested', 'locks', 'draining', 'requested', 'locks'])
  const restored = must(knowledgeFrom('cmr-1', must(before.timeline, 'an update')), 'it is under way')
  for (const { nodes } of [before.knowledge, restored]) expect(nodes.get('cmp-1')?.known.released).toBe(false)
})

test('a node that comes back from a request nobody saw is done, also when this console restarted meanwhile', () => {
  const returning = seen({
    nodes: [node('cmp-1', { ready: false })],
    objects: { nodeLocks: [nodeLock('openstack', 'cmp-1', 'inactive')] },
  })
  const back = seen({ nodes: [node('cmp-1')], objects: { nodeLocks: [nodeLock('openstack', 'cmp-1', 'active')] } })
  const before = watch([returning])
  expect(stagesOf(before.timeline, 'cmp-1')).toEqual(['returning'])
  const restored = must(knowledgeFrom('cmr-1', must(before.timeline, 'an update')), 'it is under way')
  for (const knowledge of [before.knowledge, restored]) {
    expect(stagesOf(watched({ ...before, knowledge }, back, 1).timeline, 'cmp-1')).toEqual(['returning', 'done'])
  }
})

describe('whatever a cluster shows, in whatever order', () => {
  const state = fc.constantFrom('active' as const, 'inactive' as const, 'failed' as const, 'unknown' as const)
  const uid = fc.constantFrom('a', 'b')
  const gone = fc.constantFrom(null, at(1))
  const shown = fc
    .record({
      cluster: fc.option(fc.record({ uid, deletingSince: gone })),
      clusterLock: state,
      nodes: fc.array(
        fc.record({
          name: fc.constantFrom('ctl-1', 'cmp-1', 'cmp-2'),
          lock: fc.option(state),
          says: fc.constantFrom('', 'Starting migration for a', 'Got error while x', 'Notify owners'),
          request: fc.option(fc.record({ uid, deletingSince: gone })),
          unschedulable: fc.boolean(),
          ready: fc.boolean(),
          bootId: fc.constantFrom('boot-1', 'boot-2'),
          pods: fc.array(fc.constantFrom('p', 'q')),
        }),
        { maxLength: 3 },
      ),
      podsSeen: fc.boolean(),
    })
    .map(({ cluster, clusterLock: lockState, nodes: all, podsSeen }) => {
      const nodes = all.filter((each, index) => all.findIndex(({ name }) => name === each.name) === index)
      return seen({
        nodes: nodes.map(({ name, unschedulable, ready, bootId }) => node(name, { unschedulable, ready, bootId })),
        pods: podsSeen ? new Map(nodes.map(({ name, pods }) => [name, new Set(pods)])) : null,
        objects: {
          clusterRequests: cluster === null ? [] : [clusterRequest(cluster)],
          clusterLocks: [clusterLock('openstack', lockState)],
          nodeLocks: nodes.flatMap(({ name, lock, says }) =>
            lock === null ? [] : [nodeLock('openstack', name, lock, { errorMessage: says })],
          ),
          nodeRequests: nodes.flatMap(({ name, request }) => (request === null ? [] : [nodeRequest(name, request)])),
        },
      })
    })
  const states = fc.array(shown, { maxLength: 12 })

  test('it is reported, and the report can be kept', () => {
    fc.assert(
      fc.property(states, clusters => {
        const { timeline, moments } = watch(clusters)
        for (const moment of moments) expect(Observation.safeParse({ kind: 'moment', moment }).success).toBe(true)
        if (timeline !== null) expect(UpdateTimeline.safeParse(timeline).success).toBe(true)
      }),
    )
  })

  test('a cluster that shows the same as before is reported once', () => {
    fc.assert(
      fc.property(states, clusters => {
        const last = clusters.at(-1)
        if (last === undefined) return
        const once = watch(clusters)
        // Notes are held back for a while: the second look may bring one, the third none.
        const twice = watched(once, last, clusters.length)
        const again = watched(twice, last, clusters.length + 1)
        expect(again.moments.slice(twice.moments.length)).toEqual([])
        expect(twice.moments.slice(once.moments.length).every(each => each.kind === 'stage' && each.note !== '')).toBe(
          true,
        )
      }),
    )
  })

  test('a restart in between changes nothing about the phase', () => {
    fc.assert(
      fc.property(states, shown, (clusters, last) => {
        const before = watch(clusters)
        const id = before.knowledge.update?.id
        const restored = before.timeline === null || id === undefined ? null : knowledgeFrom(id, before.timeline)
        if (restored === null) return
        // The journal has nothing about a node without a lane, such as one that was away all the time.
        fc.pre([...before.knowledge.nodes.keys()].every(name => restored.nodes.has(name)))
        const after = watched({ ...before, knowledge: restored }, last, clusters.length)
        expect(UpdateTimeline.safeParse(after.timeline).success).toBe(true)
        expect(after.timeline?.phase).toBe(watched(before, last, clusters.length).timeline?.phase)
      }),
    )
  })
})

test('a control node without a lock that was done is not on its way back when it is not Ready again, for any observer', () => {
  const of = (ctl: { readonly unschedulable?: boolean; readonly ready?: boolean }) =>
    seen({ nodes: [node('ctl-1'), node('ctl-2', ctl)], objects: { clusterRequests: [clusterRequest()] } })
  const before = watch([of({ unschedulable: true, ready: false }), of({})])
  expect(stagesOf(before.timeline, 'ctl-2')).toEqual(['work', 'returning', 'done'])
  const restored = must(knowledgeFrom('cmr-1', must(before.timeline, 'an update')), 'it is under way')
  for (const knowledge of [before.knowledge, restored]) {
    const { timeline } = watched({ ...before, knowledge }, of({ ready: false }), 2)
    expect(stagesOf(timeline, 'ctl-2')).toEqual(['work', 'returning', 'done'])
  }
})

test('a node that is not ready while its turn is yet to come is not on its way back because this console restarted', () => {
  const objects = { clusterRequests: [clusterRequest()], clusterLocks: [clusterLock('openstack', 'active')] }
  const waiting = seen({ nodes: [node('ctl-1', { ready: false })], objects })
  const before = watch([waiting])
  const id = before.knowledge.update?.id ?? ''
  const restored = before.timeline === null ? null : knowledgeFrom(id, before.timeline)
  const released = {
    ...waiting,
    objects: { ...waiting.objects, nodeLocks: [nodeLock('openstack', 'ctl-1', 'inactive')] },
  }
  for (const knowledge of [before.knowledge, must(restored, 'it is under way')])
    expect(watched({ ...before, knowledge }, released, 1).timeline?.phase).toBe('applications')
})

describe('what a node waits for', () => {
  const under = (message: string) =>
    seen({
      objects: {
        nodeRequests: [nodeRequest('cmp-1')],
        nodeLocks: [nodeLock('openstack', 'cmp-1', 'active', { errorMessage: message })],
      },
    })
  const said = (...messages: readonly string[]) =>
    watch(messages.map(under))
      .timeline?.lanes.find(lane => lane.node === 'cmp-1')
      ?.spans.at(-1)

  test('is what its lock says when it is blocked', () => {
    const span = said('2026-11-21 06:00:00 Some servers are still present on the host. x', '')
    expect(span?.waits).toEqual(
      [{ fromAt: at(0), toAt: null, what: 'openstack: Some servers are still present on the host. x' }].map(wait => ({
        ...wait,
        toAt: at(60),
      })),
    )
  })

  test('is what its lock says that it waits for, although it needs no operator', () => {
    const span = said('2026-11-21 06:00:00 Waiting for nova-compute to come up', '')
    expect(span?.waits.map(({ what }) => what)).toEqual(['openstack: Waiting for nova-compute to come up'])
  })

  test('is nothing while its controller works; what that does is the note', () => {
    const span = said('2026-11-21 06:00:00 Starting migration for a')
    expect(span).toMatchObject({ stage: 'locks', waits: [], note: 'openstack: Starting migration for a' })
  })

  test('is tried again when its controller failed', () => {
    const span = said('2026-11-21 06:00:00 Got error while trying to migrate server a: no')
    expect(span?.retries).toEqual([{ at: at(0), what: 'openstack: Got error while trying to migrate server a: no' }])
  })
})

test('seed 003: phase 2 ends when the last of its locks became inactive, by the API server’s own note of it, not when one looked', () => {
  const inactive = (controller: string, seconds: number) =>
    clusterLock(controller, 'inactive', {
      writers: [{ manager: 'rockoon', at: at(seconds), subresource: 'status' }],
    })
  const cluster = seen({ objects: { clusterLocks: [inactive('openstack', 60), inactive('ceph', 120)] } })
  const { moments } = observeChanges(cluster, NO_KNOWLEDGE, T0 + 900_000)
  expect(moments.flatMap(moment => (moment.kind === 'phase' ? [[moment.phase, moment.at]] : []))).toEqual([
    ['prepare', at(0)],
    ['applications', at(0)],
    ['control-nodes', at(120)],
  ])
})
