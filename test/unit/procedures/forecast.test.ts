import { describe, expect, it } from 'vitest'
import { placeForecast } from '../../../main/procedures/steps/compute/forecast.ts'
import type { Destinations } from '../../../main/procedures/steps/compute/read-destinations.ts'
import type { HintedInstances } from '../../../main/procedures/steps/compute/scheduler-hints.ts'
import {
  expectedSpan,
  expectedTotal,
  type MeasuredMove,
  movesMeasuredIn,
} from '../../../shared/domain/move-durations.ts'
import type { InstanceFlavor, ResourceProvider } from '../../../shared/domain/openstack.ts'
import {
  INSTANCE_MOVED,
  MIGRATION_FAILED,
  MIGRATION_PROGRESS,
  MIGRATION_REQUESTED,
} from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'
import { fakeFlavor } from '../../fixtures/procedures/fake-records.ts'
import { fakeInstance, fakeService } from '../../fixtures/procedures/fake-world.ts'

const FLAVOR: InstanceFlavor = fakeFlavor({ vcpus: 2, ramMib: 2048, diskGib: 20 })

function provider(name: string, used: Record<string, number> = {}): ResourceProvider {
  return {
    id: `rp-${name}`,
    name,
    capacities: { VCPU: 16, MEMORY_MB: 8192, DISK_GB: 100 },
    usages: used,
  }
}

function known(change: Partial<Destinations> = {}): Destinations {
  return {
    source: fakeService('cmp-1'),
    services: ['cmp-1', 'cmp-2', 'cmp-3'].map(host => fakeService(host)),
    providers: ['cmp-1', 'cmp-2', 'cmp-3'].map(name => provider(name)),
    groups: [],
    hostOf: new Map(),
    hinted: new Map(),
    namedFor: new Map(),
    aggregates: [],
    obstacles: new Map(),
    ...change,
  }
}

/** An instance that a hint names, on a host. */
const at = (host: string, name = 'b'): HintedInstances => new Map([[name, { name, host }]])

const vm = (change = {}) => fakeInstance('a', 'cmp-1', { flavor: FLAVOR, ...change })

describe('where an instance may go', () => {
  it('every other host that is enabled and up', () => {
    expect(placeForecast(vm(), known())).toMatchObject({ mayGoTo: ['cmp-2', 'cmp-3'], note: null })
  })

  it.each([
    [
      'a disabled host',
      { services: [fakeService('cmp-1'), fakeService('cmp-2', { status: 'disabled' }), fakeService('cmp-3')] },
    ],
    [
      'a host that is down',
      { services: [fakeService('cmp-1'), fakeService('cmp-2', { state: 'down' }), fakeService('cmp-3')] },
    ],
    [
      'a host without memory left',
      { providers: [provider('cmp-2', { MEMORY_MB: 6145 }), provider('cmp-3', { MEMORY_MB: 6144 })] },
    ],
    [
      'a host without cores left, by its ratio',
      { providers: [provider('cmp-2', { VCPU: 15 }), provider('cmp-3', { VCPU: 14 })] },
    ],
    [
      'a host without disk left',
      { providers: [provider('cmp-2', { DISK_GB: 81 }), provider('cmp-3', { DISK_GB: 80 })] },
    ],
  ])('not %s', (_what, change) => {
    expect(placeForecast(vm(), known(change))).toMatchObject({ mayGoTo: ['cmp-3'], note: null })
  })

  it('only the zone it is pinned to', () => {
    const services = [fakeService('cmp-1'), fakeService('cmp-2', { zone: 'az2' }), fakeService('cmp-3')]
    expect(placeForecast(vm({ pinnedZone: 'az1' }), known({ services })).mayGoTo).toEqual(['cmp-3'])
    expect(placeForecast(vm({ pinnedZone: null }), known({ services })).mayGoTo).toEqual(['cmp-2', 'cmp-3'])
    expect(placeForecast(vm({ pinnedZone: 'az9' }), known({ services }))).toMatchObject({
      mayGoTo: [],
      note: 'No other compute node of zone az9 is enabled and up.',
    })
  })

  it('says when Nova does not tell whether it is pinned', () => {
    const services = [fakeService('cmp-1'), fakeService('cmp-2', { zone: 'az2' }), fakeService('cmp-3')]
    const { mayGoTo, note } = placeForecast(vm({ pinnedZone: undefined }), known({ services }))
    expect(mayGoTo).toEqual(['cmp-2', 'cmp-3'])
    expect(note).toBe('An instance pinned to zone az1 can only go to nodes there. Nova does not show the pin.')
    const alone = placeForecast(vm({ pinnedZone: undefined, availabilityZone: 'az9' }), known({ services }))
    expect(alone.mayGoTo).toEqual(['cmp-2', 'cmp-3'])
    expect(alone.note).toContain('No other node of zone az9 can take it.')
  })

  it('a host on which its anti-affinity group has fewer members than its rule allows', () => {
    const groups = [{ id: 'g', name: 'g', policy: 'anti-affinity', maxPerHost: 2, memberIds: ['a', 'b', 'c', 'd'] }]
    const hostOf = new Map([
      ['b', 'cmp-2'],
      ['c', 'cmp-3'],
      ['d', 'cmp-3'],
    ])
    expect(placeForecast(vm({ serverGroupIds: ['g'] }), known({ groups, hostOf })).mayGoTo).toEqual(['cmp-2'])
  })

  it('never a host on which its anti-affinity group has a member', () => {
    const groups = [{ id: 'g', name: 'g', policy: 'anti-affinity', memberIds: ['a', 'b', 'c'] }]
    const member = vm({ serverGroupIds: ['g'] })
    expect(placeForecast(member, known({ groups, hostOf: new Map([['b', 'cmp-2']]) })).mayGoTo).toEqual(['cmp-3'])
    const full = known({
      groups,
      hostOf: new Map([
        ['b', 'cmp-2'],
        ['c', 'cmp-3'],
      ]),
    })
    expect(placeForecast(member, full)).toMatchObject({
      mayGoTo: [],
      note: 'Its server group rules out every other node of its zone.',
    })
  })

  it('nowhere while its affinity group stays here', () => {
    const groups = [{ id: 'g', name: 'g', policy: 'affinity', memberIds: ['a', 'b'] }]
    const { mayGoTo, note } = placeForecast(
      vm({ serverGroupIds: ['g'] }),
      known({ groups, hostOf: new Map([['b', 'cmp-1']]) }),
    )
    expect(mayGoTo).toEqual([])
    expect(note).toContain('affinity group')
  })

  it('a host of which Placement tells nothing is listed, and said to be unsure', () => {
    const { mayGoTo, note } = placeForecast(vm(), known({ providers: null }))
    expect(mayGoTo).toEqual(['cmp-2', 'cmp-3'])
    expect(note).toBe('Cannot tell whether there is room on cmp-2, cmp-3.')
  })

  it.each<[string, Record<string, string[]>, HintedInstances, string | null]>([
    ['beside one that is elsewhere', { same_host: ['b'] }, at('cmp-2'), 'SameHostFilter is enabled, only cmp-2 can'],
    [
      'beside one that stays here',
      { same_host: ['b'] },
      at('cmp-1'),
      'b (cmp-1): if Nova’s SameHostFilter is enabled, it has nowhere',
    ],
    [
      'beside one that was deleted',
      { same_host: ['b'] },
      new Map([['b', null]]),
      'Its owner asked for the node of b (Nova shows no such instance): if Nova’s SameHostFilter is',
    ],
    [
      'beside one of two, each elsewhere',
      { same_host: ['b', 'c'] },
      new Map([...at('cmp-2'), ...at('cmp-3', 'c')]),
      null,
    ],
    [
      'beside one that could not be read',
      { same_host: ['b'] },
      new Map(),
      'b (not read): Nova’s SameHostFilter, if it is',
    ],
    [
      'apart from one that is elsewhere',
      { different_host: ['b'] },
      at('cmp-2'),
      "if Nova's DifferentHostFilter is enabled, cmp-2 cannot take it",
    ],
    ['apart from one that stays here', { different_host: ['b'] }, at('cmp-1'), null],
    ['apart from one that was deleted', { different_host: ['b'] }, new Map([['b', null]]), null],
    [
      'apart from one on each other host',
      { different_host: ['b', 'c'] },
      new Map([...at('cmp-2'), ...at('cmp-3', 'c')]),
      'b (cmp-2) and c (cmp-3): if Nova’s DifferentHostFilter is enabled, it has nowhere',
    ],
    ['apart from one that could not be read', { different_host: ['b'] }, new Map(), 'may rule out hosts'],
    ['in its own group', { group: ['g'] }, new Map(), null],
  ])(
    'hints rule nothing out, as no API says whether their filters are enabled, and are named: %s',
    (_, schedulerHints, hinted, reported) => {
      const { mayGoTo, note } = placeForecast(vm({ schedulerHints }), known({ hinted }))
      expect(mayGoTo).toEqual(['cmp-2', 'cmp-3'])
      if (reported === null) expect(note).toBeNull()
      else expect(note).toContain(reported.replaceAll('’', "'"))
    },
  )

  it('the root disk of an instance with volumes takes no room', () => {
    const providers = [provider('cmp-2', { DISK_GB: 100 }), provider('cmp-3', { DISK_GB: 100 })]
    expect(placeForecast(vm({ volumeIds: ['v'] }), known({ providers })).mayGoTo).toEqual(['cmp-2', 'cmp-3'])
  })
})

describe('how long moves may take', () => {
  const gib = (ms: number): MeasuredMove => ({ ms, ramMib: 1024 })

  it('is empty where nothing was measured', () => {
    expect(expectedSpan(2048, [])).toBeNull()
    expect(expectedTotal([expectedSpan(2048, [])], 2)).toBeNull()
  })

  it('the usual time and the one nine in ten stay below, per GiB', () => {
    const measured = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(each => gib(each * 1000))
    expect(expectedSpan(2048, measured)).toEqual({ low: 10_000, high: 18_000 })
  })

  it('times alone where memory is unknown', () => {
    expect(expectedSpan(null, [gib(1000), gib(3000)])).toEqual({ low: 1000, high: 3000 })
    expect(expectedSpan(2048, [{ ms: 4000, ramMib: null }])).toEqual({ low: 4000, high: 4000 })
  })

  it('the whole is bounded by how many move at once', () => {
    const span = { low: 10, high: 20 }
    expect(expectedTotal([span, span, span], 1)).toEqual({ low: 30, high: 60 })
    expect(expectedTotal([span, span, span], 2)).toEqual({ low: 20, high: 40 })
    expect(expectedTotal([span, null], 2)).toBeNull()
  })

  it('a move is measured from its last request to its arrival, and a failed one is not', () => {
    const sample = createSampleRun()
    sample.created()
    const said = (fact: string, id: string, values = {}) =>
      sample.fact('migrate-instances', fact, `server/${id}`, values)
    said(MIGRATION_REQUESTED, 'a', { ramMib: 512 })
    said(MIGRATION_FAILED, 'a')
    const asked = said(MIGRATION_REQUESTED, 'a', { ramMib: 512 })
    const arrived = said(INSTANCE_MOVED, 'a')
    said(MIGRATION_REQUESTED, 'b')
    said(MIGRATION_PROGRESS, 'b', { memoryTotal: 1024 ** 3 })
    said(INSTANCE_MOVED, 'b')
    said(MIGRATION_REQUESTED, 'c')
    said(MIGRATION_FAILED, 'c')
    const measured = movesMeasuredIn(foldRun(sample.events))
    expect(measured.map(({ ramMib }) => ramMib)).toEqual([512, 1024])
    expect(measured[0]?.ms).toBe(Date.parse(arrived.at) - Date.parse(asked.at))
  })
})
