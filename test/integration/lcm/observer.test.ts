import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { UNWATCHED_NOTE } from '../../../main/lcm/observer/times.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { listAt, textAt } from '../../../main/wings/simulators/kubernetes/store/json.ts'
import { type MoskCloud, startMosk } from '../../../main/wings/simulators/lcm/start-mosk.ts'
import { PROJECT_NAMESPACE, UPDATE_PLAN_NAME } from '../../../main/wings/simulators/scenarios/demo-mosk-definitions.ts'
import type { UpdateObservation } from '../../../shared/contract/index.ts'
import { must } from '../../../shared/domain/must.ts'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { updateNodeOf } from '../../../shared/domain/update-nodes.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

const CONTROL = 'mosk-ctl-2'
const STORAGE = 'mosk-osd-1'
const COMPUTE = 'mosk-cmp-01'
const WHOLE = ['requested', 'locks', 'draining', 'work', 'returning', 'done']

/**
 * The same update, reported by its driver and by an observer that has only the objects ("the observer's phases equal the
 * driver's"). Controllers run in a separate process, as in a cluster.
 */
describe('an observer of an update', () => {
  let directory: string
  let cloud: MoskCloud
  let app: App
  const openConsole = async () =>
    valueIn(
      await createApp({
        dataDirectory: join(directory, 'data'),
        demo: false,
        face: { kind: 'serve', pickFiles: null, secrets: null },
      }),
    )

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-observer-'))
    cloud = await startMosk(
      { clock: systemClock, directory: join(directory, 'cloud'), speed: 20 },
      {
        controllers: true,
        lcm: 'waits',
        lcmNodes: {
          controlNodes: [CONTROL],
          groups: [
            { name: 'storage', nodes: [STORAGE], concurrentUpdates: 1 },
            { name: 'compute-az1', nodes: [COMPUTE], concurrentUpdates: 1 },
          ],
        },
      },
    )
    app = await openConsole()
    const { kubeconfigPath, context, cloudsYamlPath, cloud: name, maintenanceApi } = cloud.cluster
    valueIn(
      await app.contract.ask('cluster.add', {
        name: 'm',
        flavour: 'mosk',
        kubeconfig: { paths: [kubeconfigPath], context },
        cloud: { path: cloudsYamlPath, cloud: name },
        maintenanceApi,
      }),
    )
  })

  afterAll(async () => {
    await app.close()
    await cloud.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const observed = async (): Promise<UpdateObservation> =>
    valueIn(await app.contract.ask('update.observe', { cluster: 'm' }))
  const timelineWhen = (holds: (timeline: UpdateTimeline) => boolean, withinMs = 30_000) =>
    vi.waitFor(
      async () => {
        const { timeline } = await observed()
        if (timeline === null || !holds(timeline)) throw new Error(`not yet: ${timeline?.phase}`)
        return timeline
      },
      { timeout: withinMs, interval: 200 },
    )
  const stagesOf = (timeline: UpdateTimeline, node: string) =>
    must(
      timeline.lanes.find(lane => lane.node === node),
      node,
    ).spans.map(({ stage }) => stage)
  const phasesOf = (timeline: UpdateTimeline) => timeline.phases.map(({ phase, state }) => `${phase} ${state}`)
  const locks = () => ['ClusterWorkloadLock', 'NodeWorkloadLock'].flatMap(kind => cloud.kubernetes.objects.list(kind))
  const plan = () =>
    must(cloud.kubernetes.objects.get('ClusterUpdatePlan', PROJECT_NAMESPACE, UPDATE_PLAN_NAME), 'there is a plan')

  it("sees LCM's update pass by, though the console is closed and opened in the middle", async () => {
    const before = await observed()
    expect(before).toMatchObject({ timeline: null, drivenBy: null })
    expect(before.plans[0]).toContain('ClusterUpdatePlan')
    cloud.kubernetes.objects.change('ClusterUpdatePlan', PROJECT_NAMESPACE, UPDATE_PLAN_NAME, current => ({
      ...current,
      spec: {
        ...(current.spec as object),
        steps: listAt(current, 'spec', 'steps').map(step => ({ ...(step as object), commence: true })),
      },
    }))
    await timelineWhen(({ phase }) => phase === 'control-nodes')
    await app.close()
    app = await openConsole()
    const timeline = await timelineWhen(({ endedAt }) => endedAt !== null)
    expect(phasesOf(timeline)).toEqual(
      ['prepare', 'applications', 'control-nodes', 'worker-nodes', 'finalize'].map(phase => `${phase} done`),
    )
    expect(stagesOf(timeline, STORAGE)).toEqual(WHOLE)
    expect(stagesOf(timeline, COMPUTE)).toEqual(WHOLE)
    expect(stagesOf(timeline, CONTROL).at(-1)).toBe('done')
    // For all others LCM's plan says that their phase is Completed, during the last phase or after the end.
    const unseen = [UNWATCHED_NOTE, 'passed between two checks']
    const isSeen = ({ spans }: UpdateTimeline['lanes'][number]) => spans.some(({ note }) => !unseen.includes(note))
    expect(timeline.lanes.filter(isSeen).map(({ node }) => node)).toEqual([CONTROL, COMPUTE, STORAGE])
    // LCM's own account of its phases.
    await cloud.updated
    const steps = listAt(plan(), 'status', 'steps')
    const stepTime = (id: string, which: 'startedAt' | 'completedAt') =>
      Date.parse(
        must(
          steps
            .map(step => (textAt(step, 'id') === id ? textAt(step, which) : undefined))
            .find(time => time !== undefined),
          id,
        ),
      )
    const begun = (phase: string) =>
      Date.parse(must(timeline.phases.find(span => span.phase === phase)?.fromAt ?? null, phase))
    // LCM tells whole seconds. An observer on a busy machine is late, and never early.
    const [early, late] = [2_000, 10_000]
    for (const [step, last, phase] of [
      ['k8s-controllers', 'k8s-controllers', 'control-nodes'],
      ['k8s-workers-storage', 'k8s-workers-compute-az1', 'worker-nodes'],
      ['mcc-components', 'mcc-components', 'finalize'],
    ] as const) {
      expect(begun(phase)).toBeGreaterThanOrEqual(stepTime(step, 'startedAt') - early)
      expect(begun(phase)).toBeLessThanOrEqual(stepTime(last, 'completedAt') + late)
    }
  })

  it("tells our own update as its driver's journal does", async () => {
    const { contract } = app
    // Controllers make their locks as they start. What is still taken back of the update before belongs to that one.
    await vi.waitFor(
      () => {
        const held = new Set(
          locks().map(lock => textAt(lock, 'spec', 'nodeName') ?? textAt(lock, 'spec', 'controllerName')),
        )
        expect([...held]).toEqual(expect.arrayContaining(['openstack', 'ceph', 'stacklight', CONTROL, COMPUTE]))
        expect(locks().filter(lock => textAt(lock, 'status', 'state') !== 'active')).toEqual([])
      },
      { timeout: 30_000 },
    )
    const { options } = valueIn(await contract.ask('update.propose', { cluster: 'm' }))
    const checked = valueIn(
      await contract.ask('update.plan', {
        cluster: 'm',
        choices: {},
        update: {
          ...options,
          controlNodes: [CONTROL],
          groups: [{ name: 'some', index: 1, nodes: [COMPUTE], concurrentUpdates: 1 }],
          work: { kind: 'person' },
        },
      }),
    )
    expect(checked.startable, JSON.stringify(checked.checks.filter(({ answer }) => answer.kind === 'blocked'))).toBe(
      true,
    )
    const unseen: string[] = []
    const stepOf = (id: string) => checked.plan.steps.find(step => step.id === id)
    const stop = contract.listen('run.event', ({ runId, body }) => {
      if (body.kind !== 'gate-opened') return
      const step = stepOf(body.stepId)
      const node = step?.kind === 'node-work' ? updateNodeOf(step) : null
      // The operator ends the work once the observer has seen it: it may miss a shorter cordon.
      const isSeen = node === null ? null : timelineWhen(timeline => stagesOf(timeline, node).includes('work'))
      void Promise.resolve(isSeen)
        .then(() => contract.ask('run.answer', { runId, gateId: body.gateId, choice: 'continue', reason: '' }))
        .catch(({ message }: Error) => unseen.push(`work on ${node}: ${message}`))
    })
    const { id: runId } = valueIn(await contract.ask('run.start', { planId: checked.plan.id, outsideWindow: 'a test' }))
    const during = await vi.waitFor(
      async () => {
        const seen = await observed()
        expect(seen.drivenBy).toContain(`Lockkeeper run ${runId}`)
        return seen
      },
      { timeout: 30_000, interval: 100 },
    )
    expect(during.timeline?.endedAt).toBeNull()
    // Whenever both are asked, they agree on the phase, except for a moment. For the last phase the objects show the removal of the request
    // alone: that every node which was chosen is done, and that the driver looks at everything once more, they do not tell.
    const differs: string[] = []
    await vi.waitFor(
      async () => {
        const driven = valueIn(await contract.ask('update.timeline', { runId }))
        const seen = must((await observed()).timeline, 'an update is under way')
        if (driven.endedAt === null && driven.phase !== 'finalize' && driven.phase !== seen.phase) {
          const agree = async () => {
            const later = must((await observed()).timeline, 'an update is under way')
            const still = valueIn(await contract.ask('update.timeline', { runId }))
            if (later.phase !== driven.phase && still.phase === driven.phase)
              throw new Error(`${driven.phase} was seen as ${later.phase}`)
          }
          // From the journal to an object that is written and watched: a moment, on a busy machine several seconds.
          await vi
            .waitFor(agree, { timeout: 20_000, interval: 200 })
            .catch(({ message }: Error) => differs.push(message))
        }
        expect(driven.endedAt).not.toBeNull()
        expect(seen.endedAt).not.toBeNull()
      },
      // Two nodes are drained, worked on and brought back one after the other: on a busy machine longer than half a minute.
      { timeout: 90_000, interval: 250 },
    )
    stop()
    expect(unseen).toEqual([])
    expect(differs).toEqual([])
    const driven = valueIn(await contract.ask('update.timeline', { runId }))
    const seen = must((await observed()).timeline, 'an update was seen')
    expect(phasesOf(seen)).toEqual(phasesOf(driven))
    for (const node of [CONTROL, COMPUTE]) expect(stagesOf(seen, node)).toEqual(stagesOf(driven, node))
    expect(driven.samples.some(({ locksInactive }) => locksInactive !== null)).toBe(true)
  })
})
