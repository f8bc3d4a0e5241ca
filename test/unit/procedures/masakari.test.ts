import { describe, expect, test } from 'vitest'
import { ENTER } from '../../../main/procedures/plans/node/enter.ts'
import { LEAVE } from '../../../main/procedures/plans/node/leave.ts'
import { planMaintenance } from '../../../main/procedures/plans/node/maintain.ts'
import { makePlan } from '../../../main/procedures/plans/node/make-plan.ts'
import type { PlanRequest } from '../../../main/procedures/plans/node/plan-request.ts'
import { RESCUE } from '../../../main/procedures/plans/node/rescue.ts'
import { endMasakariMaintenance as end } from '../../../main/procedures/steps/compute/end-masakari-maintenance.ts'
import { masakariRecovers } from '../../../main/procedures/steps/compute/masakari-recovers.ts'
import { setMasakariMaintenance as set } from '../../../main/procedures/steps/compute/set-masakari-maintenance.ts'
import { type FailureCode, failure } from '../../../shared/domain/failure.ts'
import { type FailoverHost, MASAKARI_ANNOTATION } from '../../../shared/domain/masakari.ts'
import { must } from '../../../shared/domain/must.ts'
import { DEFAULT_RUN_OPTIONS, type PlannedNodeRunKind } from '../../../shared/domain/plan.ts'
import { failed } from '../../../shared/domain/result.ts'
import { MASAKARI_CLEAR_REQUESTED, MASAKARI_SET_REQUESTED } from '../../../shared/domain/run-facts.ts'
import {
  type FakeWorld,
  fakeCluster,
  fakeContext,
  fakeNode,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'

const INPUT = { node: 'cmp-1' }
const COMPUTE = { 'openstack-compute-node': 'enabled' }
const NOTED = { [MASAKARI_ANNOTATION]: 'run-0' }

function watched(host: string, onMaintenance = false): FailoverHost {
  return { id: `id-${host}`, host, segmentId: 's1', segmentName: 'rack-1', onMaintenance }
}

/** A node that Masakari watches; `note`: a run set its on_maintenance. */
function worldWith(
  { on = false, note = false }: { readonly on?: boolean; readonly note?: boolean } = {},
  more: Partial<FakeWorld> = {},
): FakeWorld {
  return fakeWorld({
    nodes: [fakeNode('cmp-1', { labels: COMPUTE, annotations: note ? NOTED : {} }), fakeNode('cmp-10')],
    services: [fakeService('cmp-1'), fakeService('cmp-10')],
    masakari: [watched('cmp-10'), watched('cmp-1', on)],
    ...more,
  })
}

const noteOf = (world: FakeWorld) => world.nodes[0]?.annotations[MASAKARI_ANNOTATION] ?? null
const flagOf = (world: FakeWorld) => world.masakari?.find(({ host }) => host === 'cmp-1')?.onMaintenance
const refusing = (code: FailureCode, times = Number.POSITIVE_INFINITY) => {
  let left = times
  return () => {
    left -= 1
    return left < 0 ? null : failure(code, 'It says no.')
  }
}

describe('on the way out', () => {
  test.each([
    ['it watches the node: on_maintenance needs setting', worldWith(), 'ready', 'MasakariWatches', []],
    ['a run of Lockkeeper set it', worldWith({ on: true, note: true }), 'done', 'OnMaintenanceSet', []],
    ['somebody else set it', worldWith({ on: true }), 'done', 'OnMaintenanceOfSomebody', ['OnMaintenanceStays']],
    [
      'the note of a finished run proves nothing about the flag',
      worldWith({ note: true }),
      'ready',
      'MasakariWatches',
      [],
    ],
    ['it left the segment', worldWith({}, { masakari: [] }), 'done', 'MasakariHasNoHost', []],
    ['Masakari is silent', worldWith({}, { masakari: null }), 'done', 'MasakariNotAsked', ['MasakariMayEvacuate']],
  ])('%s', async (_, world, kind, code, warnings) => {
    const answer = await set.check?.(INPUT, fakeContext(world))
    expect(answer).toMatchObject({ kind, code })
    expect(answer?.warnings.map(warning => warning.code)).toEqual(warnings)
    expect(world.asked).toEqual([])
  })

  test('the node is noted before on_maintenance is set, both after they were journaled, and of no other host', async () => {
    const world = worldWith()
    const ctx = fakeContext(world)
    expect(await set.apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied', code: 'OnMaintenanceSet' })
    expect(world.asked).toEqual([`annotate cmp-1 {"${MASAKARI_ANNOTATION}":"run-1"}`, 'on_maintenance cmp-1 true'])
    expect(ctx.facts).toMatchObject([
      { fact: MASAKARI_SET_REQUESTED, subject: 'masakari-host/cmp-1', announces: true, values: { id: 'id-cmp-1' } },
    ])
    expect(await set.verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds', code: 'OnMaintenanceSet' })
    expect(await set.apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied' })
    expect(world.asked).toHaveLength(2)
  })

  test('what somebody else set gets no note', async () => {
    const world = worldWith({ on: true })
    expect(await set.apply?.(INPUT, fakeContext(world))).toMatchObject({ code: 'OnMaintenanceOfSomebody' })
    expect([world.asked, noteOf(world)]).toEqual([[], null])
  })

  test('while Masakari works on a failure the step asks again, and reports the wait once', async () => {
    const world = worldWith({}, { masakariRefuses: refusing('conflict', 3) })
    const ctx = fakeContext(world)
    expect(await set.apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied' })
    expect([flagOf(world), noteOf(world)]).toEqual([true, 'run-1'])
    expect(ctx.facts.filter(({ fact }) => fact === 'waits-for').map(({ values }) => values.code ?? null)).toEqual([
      'MasakariBusy',
      null,
    ])
  })

  test.each([
    ['works on a failure for too long', 'conflict', 'MasakariStillBusy'],
    ['forbids it', 'not-permitted', 'MasakariRefused'],
  ] as const)('where Masakari %s a person is asked, who may skip it, and no note stays', async (_, code, why) => {
    const world = worldWith({}, { masakariRefuses: refusing(code) })
    const answer = await set.apply?.(INPUT, fakeContext(world))
    expect(answer).toMatchObject({ kind: 'question', code: why, choices: ['retry', 'skip', 'abort'] })
    expect(noteOf(world)).toBe(null)
  })

  test('where it is unknown whether Masakari received it, the note stays and the step is tried again', async () => {
    const world = worldWith({}, { masakariRefuses: refusing('unreachable') })
    expect(await set.apply?.(INPUT, fakeContext(world))).toMatchObject({ kind: 'failed' })
    expect(noteOf(world)).toBe('run-1')
  })

  test.each([
    ['fails', 'OnMaintenanceNotSet', worldWith({ note: true })],
    ['fails', 'OnMaintenanceNotSet', worldWith()],
    ['holds', 'OnMaintenanceOfSomebody', worldWith({ on: true })],
    ['cannot-tell', 'NotReadYet', worldWith({ note: true }, { masakari: null })],
    ['holds', 'MasakariNotAsked', worldWith({}, { masakari: null })],
    ['holds', 'MasakariHasNoHost', worldWith({ note: true }, { masakari: [] })],
  ])('verify %s: %s', async (kind, code, world) => {
    expect(await set.verify?.(INPUT, fakeContext(world))).toMatchObject({ kind, code })
  })
})

describe('on the way back', () => {
  test.each([
    ['Lockkeeper’s flag needs clearing', worldWith({ on: true, note: true }), 'ready', 'OnMaintenanceToClear', []],
    ['a note without the flag needs removing', worldWith({ note: true }), 'ready', 'OnMaintenanceToClear', []],
    ['that of somebody else stays', worldWith({ on: true }), 'done', 'OnMaintenanceOfSomebody', ['OnMaintenanceStays']],
    ['nothing is set', worldWith(), 'done', 'MasakariWatches', []],
    ['it left the segment', worldWith({}, { masakari: [] }), 'done', 'MasakariHasNoHost', []],
    [
      'Masakari is silent, and ours may be set',
      worldWith({ note: true }, { masakari: null }),
      'ready',
      'OnMaintenanceToClear',
      ['OnMaintenanceNotKnown'],
    ],
    [
      'Masakari is silent, and Lockkeeper has set nothing',
      worldWith({}, { masakari: null }),
      'done',
      'MasakariNotAsked',
      ['OnMaintenanceNotKnown'],
    ],
  ])('%s', async (_, world, kind, code, warnings) => {
    const answer = await end.check?.(INPUT, fakeContext(world))
    expect(answer).toMatchObject({ kind, code })
    expect(answer?.warnings.map(warning => warning.code)).toEqual(warnings)
    expect(world.asked).toEqual([])
  })

  test('what a run set is cleared, then the note goes', async () => {
    const world = worldWith({ on: true, note: true })
    const ctx = fakeContext(world, { runId: 'another-run' })
    expect(await end.apply?.(INPUT, ctx)).toMatchObject({ kind: 'applied', code: 'OnMaintenanceCleared' })
    expect(world.asked).toEqual(['on_maintenance cmp-1 false', `annotate cmp-1 {"${MASAKARI_ANNOTATION}":null}`])
    expect(ctx.facts).toMatchObject([{ fact: MASAKARI_CLEAR_REQUESTED, announces: true }])
    expect(await end.verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds', code: 'MasakariWatches' })
  })

  test('what somebody else set is never cleared', async () => {
    const world = worldWith({ on: true })
    expect(await end.apply?.(INPUT, fakeContext(world))).toMatchObject({ code: 'OnMaintenanceOfSomebody' })
    expect([world.asked, flagOf(world)]).toEqual([[], true])
  })

  test('while nova-compute is down nothing is cleared: Masakari would take the host for failed', async () => {
    const world = worldWith({ on: true, note: true }, { services: [fakeService('cmp-1', { state: 'down' })] })
    expect(await end.apply?.(INPUT, fakeContext(world))).toMatchObject({
      kind: 'failed',
      failure: { reason: 'ComputeNotUpForMasakari' },
    })
    expect([world.asked, flagOf(world), noteOf(world)]).toEqual([[], true, 'run-0'])
  })

  test.each([
    ['conflict', 'MasakariStillBusy'],
    ['not-permitted', 'MasakariNotEnded'],
  ] as const)('what Masakari refuses (%s) is asked about, and stays noted', async (code, why) => {
    const world = worldWith({ on: true, note: true }, { masakariRefuses: refusing(code) })
    expect(await end.apply?.(INPUT, fakeContext(world))).toMatchObject({ kind: 'question', code: why })
    expect(noteOf(world)).toBe('run-0')
  })

  test('verify sees a flag that was not cleared, and a note that stays', async () => {
    const ctx = fakeContext(worldWith({ on: true }))
    expect(await end.verify?.(INPUT, ctx)).toMatchObject({ kind: 'holds', code: 'OnMaintenanceOfSomebody' })
    ctx.announce(MASAKARI_CLEAR_REQUESTED, 'masakari-host/cmp-1')
    expect(await end.verify?.(INPUT, ctx)).toMatchObject({ kind: 'fails', code: 'OnMaintenanceStillSet' })
    expect(await end.verify?.(INPUT, fakeContext(worldWith({ note: true })))).toMatchObject({
      kind: 'fails',
      code: 'MasakariStillNoted',
    })
  })
})

describe('where reading is forbidden since the plan was made', () => {
  test.each([
    ['unreachable', 'failed', 'failed'],
    ['not-permitted', 'question', 'question'],
  ] as const)('%s: the way out %s, the way back %s', async (code, out, back) => {
    const world = worldWith({ note: true })
    const openstack = must(world.port.openstack, 'the fake world has a cloud')
    const silent = { ...openstack, failoverHosts: async () => failed(failure(code, 'It says no.')) }
    const ctx = { ...fakeContext(world), world: { ...world.port, openstack: silent } }
    expect((await set.apply?.(INPUT, ctx))?.kind).toBe(out)
    expect((await end.apply?.(INPUT, ctx))?.kind).toBe(back)
    expect(world.asked).toEqual([])
  })
})

describe('before a rescue', () => {
  const recovery = { id: 'n1', of: 'host', status: 'running', since: null } as const
  test.each([
    ['Masakari does nothing', worldWith(), 'done', []],
    ['Masakari recovers the same host', worldWith({}, { recoveries: [recovery] }), 'ready', ['MasakariRecoversToo']],
    ['Masakari is silent', worldWith({}, { masakari: null }), 'done', ['MasakariMayRecover']],
  ])('%s', async (_, world, kind, warnings) => {
    const answer = await masakariRecovers.check(INPUT, fakeContext(world))
    expect(answer.kind).toBe(kind)
    expect(answer.warnings.map(({ code }) => code)).toEqual(warnings)
  })
})

describe('plans', () => {
  const SET = 'set-masakari-maintenance'
  const END = 'end-masakari-maintenance'

  const kindsOf = async (kind: PlannedNodeRunKind, world: FakeWorld) => {
    const wish = { id: 'p', kind, node: 'cmp-1', madeAt: '2026-01-01T00:00:00Z', options: DEFAULT_RUN_OPTIONS }
    const made = await makePlan(wish, world.port)
    if (!made.ok) throw new Error(made.failure.message)
    return made.value.steps.map(step => step.kind).filter(each => each.includes('masakari'))
  }
  const silentCloud = () => {
    const world = worldWith({}, { masakari: null })
    const openstack = must(world.port.openstack, 'the fake world has a cloud')
    const silent = async () => failed(failure('unreachable', 'Nothing answers.'))
    return { ...world, port: { ...world.port, openstack: { ...openstack, computeServices: silent } } }
  }

  test.each<[string, FakeWorld, PlannedNodeRunKind, readonly string[]]>([
    ['a cloud without Masakari', worldWith({}, { masakari: [] }), 'enter', []],
    ['a cloud without Masakari', worldWith({}, { masakari: [] }), 'leave', []],
    ['no segment has the node', worldWith({}, { masakari: [watched('cmp-10')] }), 'enter', []],
    ['Masakari watches it', worldWith(), 'enter', [SET]],
    ['Masakari watches it', worldWith(), 'leave', [END]],
    ['Masakari watches it', worldWith(), 'maintain', [SET, END]],
    ['Masakari watches it', worldWith(), 'rescue', ['masakari-recovers']],
    ['Masakari watches it', worldWith(), 'home', []],
    ['by a name with its domain', worldWith({}, { masakari: [watched('cmp-1.example.org')] }), 'enter', [SET]],
    ['two hosts that could be it', worldWith({}, { masakari: [watched('cmp-1.a'), watched('cmp-1.b')] }), 'enter', []],
    ['Masakari is silent', worldWith({}, { masakari: null }), 'enter', [SET]],
    ['Masakari is silent', worldWith({}, { masakari: null }), 'leave', []],
    ['Masakari is silent, and the node is noted', worldWith({ note: true }, { masakari: null }), 'leave', [END]],
    ['the whole cloud is silent', silentCloud(), 'enter', []],
    ['noted, and Masakari is gone', worldWith({ note: true }, { masakari: [] }), 'leave', [END]],
  ])('%s: %#', async (_, world, kind, expected) => {
    expect(await kindsOf(kind, world)).toEqual(expected)
  })

  const request = (more: Partial<PlanRequest> = {}): PlanRequest => ({
    cluster: fakeCluster(),
    name: 'cmp-1',
    node: fakeNode('cmp-1'),
    roles: ['compute', 'control', 'storage'],
    options: { ...DEFAULT_RUN_OPTIONS, scope: 'os' },
    watcher: null,
    ran: null,
    masakari: 'watches',
    ...more,
  })

  test.each(['plain', 'mosk', 'sunbeam'] as const)(
    '%s: set before anything leaves, and cleared after all is back',
    flavour => {
      const cluster = fakeCluster({ flavour })
      const enter = ENTER[flavour](request({ cluster }))
      const acts = enter.filter(({ verbs }) => verbs.includes('apply')).map(({ kind }) => kind)
      expect(acts[0]).toBe(SET)
      const leave = LEAVE[flavour](request({ cluster })).map(({ kind }) => kind)
      const before = flavour === 'mosk' ? 'compute-given-back' : 'enable-compute'
      expect(leave.indexOf(END)).toBe(leave.indexOf(before) + 1)
      expect(RESCUE[flavour](request({ cluster })).filter(({ kind }) => kind === 'masakari-recovers')).toHaveLength(1)
    },
  )

  test('in a whole maintenance the flag has to hold until the way back clears it', () => {
    const steps = planMaintenance(request({ options: { ...DEFAULT_RUN_OPTIONS, work: { kind: 'person' } } }))
    expect(steps.find(({ kind }) => kind === SET)).toMatchObject({ verifyFinally: false, holdsUntil: END })
  })

  test('a node that computes nothing has no such step', () => {
    expect(ENTER.plain(request({ roles: ['control'] })).some(({ kind }) => kind === SET)).toBe(false)
  })
})
