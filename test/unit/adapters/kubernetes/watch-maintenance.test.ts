import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMaintenanceWatch } from '../../../../main/adapters/kubernetes/watch-maintenance.ts'
import type { WatchMaintenance } from '../../../../main/ports/maintenance-api.ts'
import { type FakeApi, type FakeStream, startFakeApi, status } from '../../../fixtures/kubernetes/fake-api.ts'
import { type ManualClock, manualClock } from '../../../fixtures/kubernetes/manual-clock.ts'
import { until } from '../../../fixtures/kubernetes/until.ts'

const KINDS = ['clustermaintenancerequests', 'nodemaintenancerequests', 'clusterworkloadlocks', 'nodeworkloadlocks']
const OPTIONAL = ['nodedisablenotifications', 'nodedeletionrequests']
const API = '/apis/lcm.mirantis.com/v1alpha1'

let clock: ManualClock
let api: FakeApi
/** Resources the cluster serves now. */
let served: string[]
let forbidden: string[]
let streams: Map<string, FakeStream>
let watch: WatchMaintenance
const scopes: { readonly stop: AbortController; readonly ended: Promise<void> }[] = []

beforeEach(async () => {
  clock = manualClock()
  served = [...KINDS, ...OPTIONAL]
  forbidden = []
  streams = new Map()
  api = await startFakeApi(({ path, query }) => {
    if (path === '/apis' && served.length > 0) {
      const versions = ['apps/v1', 'lcm.mirantis.com/v1alpha1'].map(groupVersion => ({ groupVersion }))
      return { body: { kind: 'APIGroupList', groups: [{ versions }] } }
    }
    if (path === API) {
      return served.length === 0
        ? status(404, 'NotFound', 'no such group')
        : { body: { kind: 'APIResourceList', resources: served.map(name => ({ name })) } }
    }
    const plural = path.split('/').at(-1) ?? ''
    if (forbidden.includes(plural)) return status(403, 'Forbidden', 'no')
    if (!served.includes(plural)) return status(404, 'NotFound', 'the server could not find the requested resource')
    if (query.get('watch') === 'true') return stream => void streams.set(plural, stream)
    return { body: { metadata: { resourceVersion: '10' }, items: [] } }
  })
  watch = createMaintenanceWatch({ session: await api.session(clock), clock })
})
afterEach(async () => {
  for (const { stop } of scopes) stop.abort()
  for (const { ended } of scopes.splice(0)) await ended
  await api.close()
})

function listen() {
  const stop = new AbortController()
  const reported: string[][] = []
  const states: string[] = []
  const ended = watch(
    {
      onObjects: ({ nodeLocks, nodeRequests }) =>
        reported.push([...nodeLocks, ...nodeRequests].map(({ name, uid }) => `${name} ${uid}`)),
      onState: ({ kind }) => states.push(kind),
    },
    stop.signal,
  )
  scopes.push({ stop, ended })
  return {
    reported,
    states,
    stop,
    ended,
    inState: (kind: string) => until(() => states.at(-1) === kind, `it is ${kind}`),
  }
}

const lock = (name: string, uid = `uid-${name}`) => ({
  type: 'ADDED',
  object: { metadata: { name, uid, resourceVersion: '11' }, spec: { controllerName: 'x', nodeName: name } },
})
const watches = () => api.requests.filter(({ query }) => query.get('watch') === 'true')
/** Lets the collected changes be reported. */
async function report() {
  await until(() => clock.asleep.includes(50), 'a report is due')
  clock.advance(50)
}

test('all six kinds are watched once, however many listen, and nothing is watched when the last has left', async () => {
  const first = listen()
  const second = listen()
  await first.inState('live')
  await second.inState('live')
  expect(watches()).toHaveLength(6)
  first.stop.abort()
  await first.ended
  expect([...streams.values()].some(stream => stream.closed)).toBe(false)
  second.stop.abort()
  await second.ended
  await until(() => [...streams.values()].every(stream => stream.closed), 'the watches have ended')
})

test('changes within 50 ms are one report, and each report has everything', async () => {
  const { reported, inState } = listen()
  await inState('live')
  await report()
  expect(reported).toEqual([[]])
  streams.get('nodeworkloadlocks')?.send(lock('b'), lock('a'))
  streams.get('nodemaintenancerequests')?.send(lock('r'))
  await until(() => clock.asleep.includes(50), 'a report is due')
  await new Promise(resolve => setTimeout(resolve, 50))
  // What came meanwhile is read, also where this process was not let run for as long.
  for (let turn = 0; turn < 20; turn += 1) await new Promise(resolve => setImmediate(resolve))
  clock.advance(50)
  await until(() => reported.length === 2, 'it is reported')
  expect(reported[1]).toEqual(['a uid-a', 'b uid-b', 'r uid-r'])
})

test('a later listener receives the current objects at once', async () => {
  const first = listen()
  await first.inState('live')
  await report()
  const late = listen()
  expect(late.states).toEqual(['live'])
  expect(late.reported).toEqual([[]])
})

test('a listener may leave at once, also during a report', async () => {
  const first = listen()
  await first.inState('live')
  await report()
  const stop = new AbortController()
  await watch({ onObjects: () => stop.abort(), onState: () => {} }, stop.signal)
  expect(first.states.at(-1)).toBe('live')
})

test('without the API it says so, asks one small question now and then, and begins when the API comes', async () => {
  served = []
  const { reported, states, inState } = listen()
  await inState('absent')
  await until(() => clock.asleep.filter(ms => ms === 60_000).length === 6, 'it waits')
  expect(api.requests.map(({ path }) => path)).toEqual([API, '/apis'])
  clock.advance(60_000)
  await until(() => api.requests.length === 3, 'it asks again')
  await until(() => clock.asleep.filter(ms => ms === 60_000).length === 6, 'it waits again')
  expect(api.requests.map(({ path }) => path)).toEqual([API, '/apis', '/apis'])
  served = [...KINDS, ...OPTIONAL]
  clock.advance(60_000)
  await inState('live')
  await report()
  expect(reported).toEqual([[]])
  expect(states).not.toContain('offline')
})

test('kinds that older clusters lack are read as empty', async () => {
  served = [...KINDS]
  const { reported, inState } = listen()
  await inState('live')
  await report()
  expect(reported).toEqual([[]])
  expect(watches()).toHaveLength(4)
})

test('a needed kind that is missing makes the API absent, and no report says that there are no locks', async () => {
  served = KINDS.filter(plural => plural !== 'nodeworkloadlocks')
  const { reported, inState } = listen()
  await until(() => watches().length === 3, 'the others are watched')
  await inState('absent')
  await report()
  expect(reported).toEqual([])
})

test('definitions that are deleted while they are watched are absent, not merely unreachable for ever', async () => {
  const { states, inState } = listen()
  await inState('live')
  await report()
  served = []
  for (const stream of streams.values()) stream.end()
  streams.clear()
  await until(() => {
    // Whatever they wait for before they try again.
    clock.advance(1_000)
    return states.at(-1) === 'absent'
  }, 'it is absent')
})

test('a kind without permission is reported', async () => {
  forbidden = ['nodemaintenancerequests']
  const { reported, inState } = listen()
  await inState('not-permitted')
  expect(reported).toEqual([])
})
