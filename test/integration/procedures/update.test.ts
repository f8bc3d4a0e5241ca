import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { NEXT_MOSK_RELEASE } from '../../../main/wings/simulators/scenarios/demo-mosk-definitions.ts'
import { must } from '../../../shared/domain/must.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { type CliProcess, lockkeeper, startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

/** Nodes whose instances wait for their owners (`manual`, a `notify` tag): they are left out here, as are more nodes of the roles that are played. */
const OWNED = ['mosk-cmp-02', 'mosk-cmp-03', 'mosk-cmp-07']
const CONTROL = ['mosk-ctl-1', 'mosk-ctl-2']
const WORKERS = ['mosk-cmp-01', 'mosk-cmp-04', 'mosk-gtw-1', 'mosk-osd-1']
const JOB = `
apiVersion: batch/v1
kind: Job
metadata:
  labels: { app: agent }
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: agent
          image: agent:1
          command: [/agent, --node, $(NODE_NAME)]
`

const bundle = (name: string) =>
  `{ apiVersion: lcm.mirantis.com/v1alpha1, kind: HelmBundle, namespace: default, name: ${name} }`
const started = (name: string) =>
  `start: { kind: patch, object: ${bundle(name)}, patch: { spec: { releases: [{ name: ${name}, version: ${NEXT_MOSK_RELEASE} }] } } }`
/** OpenStack and Ceph in phase 2, StackLight in phase 5: each by its bundle, seen by what changes with it. */
const APPLICATIONS = `
applications:
  - application: stacklight
    ${started('stacklight')}
    finished: { kind: field, object: ${bundle('stacklight')}, path: status.releaseStatuses.stacklight.version, equals: ${NEXT_MOSK_RELEASE} }
  - application: ceph
    ${started('ceph')}
    finished: { kind: field, object: ${bundle('ceph')}, path: status.releaseStatuses.ceph.version, equals: ${NEXT_MOSK_RELEASE} }
  - application: openstack
    ${started('openstack')}
    finished:
      kind: field
      object: { apiVersion: lcm.mirantis.com/v1alpha1, kind: OpenStackDeploymentStatus, namespace: openstack, name: osh-dev }
      path: status.osdpl.controller_version
      equals: ${NEXT_MOSK_RELEASE}
`

/**
 * The whole update of demo-mosk. Its controllers run
 * in a separate process, as in a cluster; the test reads LCM's requests from the API server's log, not from our journal.
 */
describe('the update of a whole cluster', () => {
  let directory: string
  let data: string
  let demo: DemoClouds
  let app: App
  let running: CliProcess | null = null

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-update-'))
    data = join(directory, 'data')
    demo = await startDemoClouds({
      clock: systemClock,
      directory: join(directory, 'clouds'),
      speed: 30,
      mosk: { controllers: true },
    })
    await writeFile(join(directory, 'agent.yaml'), JOB)
    await writeFile(join(directory, 'applications.yaml'), APPLICATIONS)
    const { kubeconfigPath, context, cloudsYamlPath, cloud } = mosk().cluster
    const added = await lockkeeper(data, [
      ...['cluster', 'add', 'm', '--kubeconfig', kubeconfigPath, '--context', context],
      ...['--clouds-yaml', cloudsYamlPath, '--cloud', cloud, '--flavour', 'mosk'],
    ])
    expect(added.code, added.stderr).toBe(0)
    // Looks at the journal as quickly as things happen; the update itself is driven by processes that can be killed.
    app = valueIn(
      await createApp({ dataDirectory: data, demo: false, face: { kind: 'serve', pickFiles: null, secrets: null } }),
    )
    await vi.waitFor(
      async () => {
        const plan = await lockkeeper(data, ['update', 'plan', 'm'])
        expect(plan.code, plan.stdout).toBe(0)
      },
      { timeout: 30_000, interval: 500 },
    )
  })

  afterAll(async () => {
    if (running?.child.exitCode === null) running.child.kill('SIGKILL')
    await app.close()
    await demo.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('goes through every phase and node once, although its driver is killed twice', async () => {
    const start = [
      ...[
        'update',
        'start',
        'm',
        '--yes',
        '--work',
        `job=${join(directory, 'agent.yaml')}`,
        '--job-namespace',
        'default',
      ],
      ...['--control', CONTROL.join(','), '--group', `all=${WORKERS.join(',')}:1`],
      ...['--applications', join(directory, 'applications.yaml')],
    ]
    running = startLockkeeper(data, start)
    await until('a control-plane node has started', timeline => stageOf(timeline, 'mosk-ctl-1') !== 'pending')
    const second = await lockkeeper(data, start)
    expect(second.code).toBe(3)
    expect(second.stdout).toContain('ManyNodesHeldByAnotherRun')

    await kill()
    await resume()
    await until('a worker has started', timeline => stageOf(timeline, 'mosk-cmp-04') !== 'pending')
    await kill()
    await resume()
    const over = await running.finished
    expect(over.code, over.stdout + over.stderr).toBe(0)
    expect(over.stdout).toMatch(/The update of m is done: \d+ nodes?, verified/)

    const status = await lockkeeper(data, ['update', 'status', 'm'])
    expect(status.stdout).toContain('The update of m is done: 6 nodes, verified.')
    const timeline = await timelineNow()
    expect(timeline.phases.map(({ phase, state }) => `${phase} ${state}`)).toEqual([
      'prepare done',
      'applications done',
      'control-nodes done',
      'worker-nodes done',
      'finalize done',
    ])
    expect(timeline.lanes.map(({ node, stage }) => `${node} ${stage}`)).toEqual(
      [...CONTROL, ...WORKERS].map(node => `${node} done`),
    )
    // Nothing twice, nothing left out: one request a node and one for the cluster, made and removed; one Job a node.
    const nodes = [...CONTROL, ...WORKERS].toSorted()
    expect(asked('POST', /\/nodemaintenancerequests$/)).toHaveLength(nodes.length)
    expect(asked('DELETE', /\/nodemaintenancerequests\/([^/]+)$/).toSorted()).toEqual(nodes)
    expect(asked('POST', /\/clustermaintenancerequests$/)).toHaveLength(1)
    expect(asked('DELETE', /\/clustermaintenancerequests\//)).toHaveLength(1)
    expect(asked('POST', /\/jobs$/).length).toBe(nodes.length)
    // Each application was started once, OpenStack first and StackLight last, and really changed.
    expect(asked('PATCH', /\/helmbundles\/([^/?]+)$/)).toEqual(['openstack', 'ceph', 'stacklight'])
    const [deployment] = mosk().kubernetes.objects.list('OpenStackDeploymentStatus')
    expect(deployment).toMatchObject({ status: { osdpl: { controller_version: NEXT_MOSK_RELEASE } } })
    for (const node of OWNED) expect(asked('DELETE', /\/nodemaintenancerequests\/([^/]+)$/)).not.toContain(node)
    // Six nodes one after the other, and two new drivers.
  }, 180_000)

  it('leaves out a node that has not started, pauses after the node under way, and asks when a Job fails', async () => {
    const { contract } = app
    const { options } = valueIn(await contract.ask('update.propose', { cluster: 'm' }))
    const nodes = ['mosk-cmp-01', 'mosk-cmp-04', 'mosk-cmp-05']
    const checked = valueIn(
      await contract.ask('update.plan', {
        cluster: 'm',
        choices: {},
        update: {
          ...options,
          scope: 'drain',
          controlNodes: [],
          groups: [{ name: 'some', index: 1, nodes, concurrentUpdates: 1 }],
          work: {
            kind: 'job',
            namespace: 'default',
            manifest: JOB.replace('[/agent, --node, $(NODE_NAME)]', "['false']"),
          },
        },
      }),
    )
    expect(checked.startable).toBe(true)
    const jobsBefore = asked('POST', /\/jobs$/).length
    const { id: runId } = valueIn(await contract.ask('run.start', { planId: checked.plan.id, outsideWindow: 'a test' }))
    const view = async () => foldRun(valueIn(await contract.ask('run.show', { runId })).events)
    const gate = async (node: string, after: string | null) => {
      const find = async () =>
        (await view()).openGates.find(({ stepId, gateId }) => stepId === `node-work@${node}` && gateId !== after)
      return vi.waitFor(async () => must((await find()) ?? null, `${node} asks`), { timeout: 30_000, interval: 100 })
    }
    const answer = (gateId: string, choice: 'continue' | 'retry') =>
      contract.ask('run.answer', { runId, gateId, choice, reason: 'test' })

    const first = await gate('mosk-cmp-01', null)
    expect(first.question).toMatch(/Job default\/lockkeeper-.+-mosk-cmp-01-.+ failed/)
    expect((await contract.ask('run.skip-node', { runId, node: 'mosk-cmp-01', reason: 'late' })).ok).toBe(false)
    valueIn(await contract.ask('run.skip-node', { runId, node: 'mosk-cmp-05', reason: 'broken fan' }))
    valueIn(await contract.ask('run.pause-after-node', { runId }))
    valueIn(await answer(first.gateId, 'continue'))
    await vi.waitFor(async () => expect((await view()).state.kind).toBe('paused'), { timeout: 30_000 })
    const stages = async () =>
      valueIn(await contract.ask('update.timeline', { runId })).lanes.map(({ node, stage }) => `${node} ${stage}`)
    expect(await stages()).toEqual(['mosk-cmp-01 done', 'mosk-cmp-04 pending', 'mosk-cmp-05 skipped'])

    valueIn(await contract.ask('run.unpause', { runId }))
    const second = await gate('mosk-cmp-04', null)
    valueIn(await answer(second.gateId, 'retry'))
    const third = await gate('mosk-cmp-04', second.gateId)
    valueIn(await answer(third.gateId, 'continue'))
    await vi.waitFor(async () => expect((await view()).state.kind).toBe('finished'), { timeout: 30_000 })
    const { state } = await view()
    expect(state).toMatchObject({ kind: 'finished', outcome: 'done' })
    expect(await stages()).toEqual(['mosk-cmp-01 done', 'mosk-cmp-04 done', 'mosk-cmp-05 skipped'])
    expect(asked('POST', /\/jobs$/).length - jobsBefore, 'one Job, and one with its retry').toBe(3)
  })

  const mosk = () => must(demo.mosk, 'the demo was started with demo-mosk')

  async function kill() {
    running?.child.kill('SIGKILL')
    await running?.finished
  }

  async function resume() {
    running = startLockkeeper(data, ['update', 'resume', 'm'])
  }

  async function timelineNow(): Promise<UpdateTimeline> {
    const [newest] = valueIn(await app.contract.ask('run.list', { cluster: 'm' }))
    return valueIn(await app.contract.ask('update.timeline', { runId: newest?.id ?? '' }))
  }

  async function until(what: string, holds: (timeline: UpdateTimeline) => boolean) {
    await vi.waitFor(async () => expect(holds(await timelineNow()), `${what}\n${running?.output()}`).toBe(true), {
      // A process that is started again goes through several nodes until then, beside whatever else the machine does.
      timeout: 120_000,
      interval: 20,
    })
  }

  function stageOf(timeline: UpdateTimeline, node: string) {
    return timeline.lanes.find(lane => lane.node === node)?.stage ?? 'pending'
  }

  /** What was asked of the API server and granted: the first group of the pattern, else the path. */
  function asked(method: string, path: RegExp): string[] {
    return mosk()
      .kubernetes.log.all()
      .filter(entry => entry.method === method && entry.status < 300)
      .flatMap(entry => {
        const found = path.exec(entry.path.split('?')[0] ?? '')
        return found === null ? [] : [found[1] ?? entry.path]
      })
  }
})
