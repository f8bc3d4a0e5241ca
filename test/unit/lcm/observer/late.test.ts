import { describe, expect, test } from 'vitest'
import { renderObservation } from '../../../../main/faces/cli/render/render-update.ts'
import type { SeenCluster } from '../../../../main/lcm/observer/derive.ts'
import { type Knowledge, knowledgeFrom, NO_KNOWLEDGE } from '../../../../main/lcm/observer/knowledge.ts'
import { observeChanges } from '../../../../main/lcm/observer/look.ts'
import { nodesDoneByLcm, phaseTimes, UNWATCHED_NOTE } from '../../../../main/lcm/observer/times.ts'
import type { LcmReport } from '../../../../main/ports/lcm.ts'
import type { ClusterMaintenanceRequest, LockState } from '../../../../shared/domain/maintenance-api.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { UpdateMoment, UpdatePhase, UpdateTimeline } from '../../../../shared/domain/update.ts'
import { applyMoment, beginTimeline } from '../../../../shared/domain/update-fold.ts'
import { pipeLook } from '../../../fixtures/cli/looks.ts'
import { at, clusterLock, clusterRequest, node, nodeLock, nodeRequest, seen, T0 } from './seen.ts'

type Said = Pick<LcmReport, 'phase' | 'upgraded' | 'begun' | 'done'>
const SILENT: Said = { phase: null, upgraded: [], begun: [], done: [] }

const written = (second: number) => ({
  writers: [{ manager: 'controller', subresource: 'status', at: at(second) }],
})

/** What `ctl-1`, `cmp-1` and `cmp-2` look like at one moment: the locks of the cluster, and which node is requested. */
function cluster(now: {
  readonly locks: LockState
  readonly lockAt: number
  readonly request?: Partial<ClusterMaintenanceRequest> | null
  readonly asked?: readonly [node: string, second: number]
  readonly nodeLockAt?: Readonly<Record<string, number>>
}): SeenCluster {
  const [asked = '', askedAt = 0] = now.asked ?? []
  const names = ['ctl-1', 'cmp-1', 'cmp-2']
  return seen({
    nodes: names.map(name => node(name, { unschedulable: name === asked })),
    objects: {
      clusterRequests: now.request === null ? [] : [clusterRequest(now.request)],
      clusterLocks: ['openstack', 'ceph'].map(each => clusterLock(each, now.locks, written(now.lockAt))),
      nodeRequests: asked === '' ? [] : [nodeRequest(asked, { createdAt: at(askedAt) })],
      nodeLocks: names.map(name =>
        nodeLock('openstack', name, name === asked ? 'inactive' : 'active', written(now.nodeLockAt?.[name] ?? 0)),
      ),
    },
  })
}

interface Console {
  readonly knowledge: Knowledge
  readonly timeline: UpdateTimeline | null
}

/** One look of a console that remembers nothing but its journal, as `update status` is. */
function look({ timeline }: Console, second: number, state: SeenCluster, lcm: Said = SILENT): Console {
  const remembered = timeline === null ? null : knowledgeFrom('cmr-1', timeline)
  const found = observeChanges({ ...state, lcm }, remembered ?? NO_KNOWLEDGE, T0 + second * 1000)
  const report = (to: UpdateTimeline | null, moments: readonly UpdateMoment[]) =>
    moments.reduce<UpdateTimeline | null>((so, each) => applyMoment(must(so, 'begun first'), each), to)
  let reported = report(timeline, found.ended)
  if (found.begun !== null) reported = beginTimeline({ kind: 'observed', since: at(second) }, found.nodes)
  reported = report(reported, found.moments)
  if (reported !== null) reported = report(reported, phaseTimes(lcm, reported, at(second)))
  if (reported !== null && found.knowledge.update === null) reported = report(reported, nodesDoneByLcm(lcm, reported))
  return { knowledge: found.knowledge, timeline: reported }
}
const FRESH: Console = { knowledge: NO_KNOWLEDGE, timeline: null }

const phasesOf = ({ timeline }: Console) =>
  Object.fromEntries(
    must(timeline, 'an update is seen').phases.map(({ phase, state, fromAt, toAt }) => [phase, [state, fromAt, toAt]]),
  )
const lanesOf = ({ timeline }: Console) =>
  Object.fromEntries(
    must(timeline, 'an update is seen').lanes.map(({ node: name, stage, spans }) => [
      name,
      [stage, spans.at(-1)?.fromAt ?? null],
    ]),
  )
const shown = ({ timeline }: Console, drivenBy: string) =>
  renderObservation({ cluster: 'east', timeline, drivenBy, plans: [], readAt: at(900) }, pipeLook).join('\n')

const times = (list: Partial<Record<UpdatePhase, number>>) =>
  Object.entries(list).map(([phase, second]) => ({ phase: phase as UpdatePhase, at: at(second) }))

/** LCM's update, observed during the work on its control node (at 100 s) and after its end (at 410 s). */
function lcmUpdate(): Console {
  const control = cluster({ locks: 'inactive', lockAt: 47, asked: ['ctl-1', 75], nodeLockAt: { 'ctl-1': 80 } })
  const atWork: Said = {
    phase: 'control-nodes',
    upgraded: [],
    begun: times({ applications: 5, 'control-nodes': 71 }),
    done: times({ applications: 47 }),
  }
  const over: Said = {
    ...SILENT,
    begun: times({ applications: 5, 'control-nodes': 71, 'worker-nodes': 113, finalize: 361 }),
    done: times({ applications: 47, 'control-nodes': 111, 'worker-nodes': 360, finalize: 380 }),
  }
  const first = look(FRESH, 100, control, atWork)
  return look(first, 410, cluster({ locks: 'active', lockAt: 382, request: null, nodeLockAt: { 'ctl-1': 109 } }), over)
}

/** An update by a run of another console, whose journal is not here, observed in the middle and after its end. */
function foreignRun(): Console {
  const annotations = { 'lockkeeper.dev/run': 'abc', 'lockkeeper.dev/operator': 'kay' }
  const locked = cluster({ locks: 'inactive', lockAt: 20, request: { annotations }, asked: ['ctl-1', 25] })
  const back = cluster({ locks: 'active', lockAt: 250, request: null, nodeLockAt: { 'ctl-1': 57 } })
  return look(look(FRESH, 40, locked), 300, back)
}

describe('who looks late at an update', () => {
  test('takes the times of LCM, and nothing is left to come when LCM has completed it', () => {
    const end = lcmUpdate()
    expect(phasesOf(end)).toEqual({
      prepare: ['done', at(0), at(0)],
      applications: ['done', at(5), at(47)],
      'control-nodes': ['done', at(71), at(111)],
      'worker-nodes': ['done', at(113), at(360)],
      finalize: ['done', at(361), at(380)],
    })
    expect(lanesOf(end)).toEqual({
      'ctl-1': ['done', at(109)],
      'cmp-1': ['done', at(360)],
      'cmp-2': ['done', at(360)],
    })
    expect(end.timeline).toMatchObject({ phase: null, endedAt: at(382) })
  })

  test('takes the times of the API server where no LCM tells, and calls the rest not observed', () => {
    const end = foreignRun()
    expect(phasesOf(end)).toMatchObject({
      applications: ['done', at(0), at(20)],
      'control-nodes': ['done', at(25), at(57)],
      'worker-nodes': ['done', null, null],
      finalize: ['done', null, null],
    })
    expect(lanesOf(end)).toEqual({ 'ctl-1': ['done', at(57)], 'cmp-1': ['unseen', null], 'cmp-2': ['unseen', null] })
    expect(end.timeline?.endedAt).toBe(at(250))
  })

  test('is shown nothing as pending, and nobody as its driver, once it has ended; an unobserved event is reported once', () => {
    for (const text of [shown(lcmUpdate(), 'LCM'), shown(foreignRun(), 'Lockkeeper run abc by kay')]) {
      expect(text).not.toMatch(/pending|not all done|is driven by|nobody watched/)
    }
    expect(shown(foreignRun(), 'x').match(/not watched completely/g)).toHaveLength(1)
    expect(shown(lcmUpdate(), 'x').match(/only the end was observed/g)).toHaveLength(1)
    expect(shown(foreignRun(), 'x')).toMatch(/cmp-1 +worker nodes +- +not observed/)
  })

  test('claims no stage of a node that LCM left out of a phase that it completed', () => {
    const asked = look(
      look(FRESH, 0, cluster({ locks: 'active', lockAt: 0, request: null })),
      20,
      cluster({ locks: 'active', lockAt: 0 }),
    )
    const done: Said = { ...SILENT, phase: 'finalize', done: times({ 'control-nodes': 111, 'worker-nodes': 360 }) }
    const end = look(asked, 370, cluster({ locks: 'inactive', lockAt: 47 }), done)
    const lanes = must(end.timeline, 'an update is seen').lanes.map(({ node: name, spans }) => [
      name,
      spans.map(({ stage, note }) => [stage, note]),
    ])
    const through = [['done', UNWATCHED_NOTE]]
    expect(Object.fromEntries(lanes)).toEqual({ 'ctl-1': through, 'cmp-1': through, 'cmp-2': through })
  })

  test('sees no application at work between two steps of LCM', () => {
    const between: Said = {
      phase: 'applications',
      upgraded: [],
      begun: times({ applications: 5 }),
      done: times({ applications: 47 }),
    }
    const found = look(FRESH, 60, cluster({ locks: 'inactive', lockAt: 47 }), between)
    expect(phasesOf(found)).toMatchObject({
      applications: ['done', at(5), at(47)],
      'control-nodes': ['pending', null, null],
    })
    expect(shown(found, 'LCM')).not.toContain('running')
  })

  test('believes nothing that LCM said before the request was made', () => {
    const earlier: Said = { ...SILENT, begun: times({ applications: -900 }), done: times({ applications: -60 }) }
    const found = look(FRESH, 60, cluster({ locks: 'active', lockAt: -60 }), earlier)
    expect(phasesOf(found).applications).toEqual(['running', at(0), null])
  })

  test('takes the beginning of a phase of which LCM has not completed every step, also after the end', () => {
    const first = look(FRESH, 100, cluster({ locks: 'inactive', lockAt: 47, asked: ['cmp-1', 95] }))
    const back = cluster({ locks: 'active', lockAt: 250, request: null })
    const said = { ...SILENT, begun: times({ 'worker-nodes': 91 }) }
    expect(phasesOf(look(first, 300, back, said))['worker-nodes']).toEqual(['done', at(91), null])
    const later = { ...SILENT, begun: times({ 'worker-nodes': 280 }) }
    expect(phasesOf(look(first, 300, back, later))['worker-nodes']).toEqual(['done', at(95), null])
  })
})
