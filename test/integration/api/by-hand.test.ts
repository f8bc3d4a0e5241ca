import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import type { Server } from '../../../main/wings/simulators/openstack/cloud.ts'
import type { RequestInput } from '../../../shared/contract/index.ts'
import { ATTEMPTS_ANNOTATION, HOST_MODE_ANNOTATION } from '../../../shared/domain/instance-policy.ts'
import type { InstanceRemedy } from '../../../shared/domain/instance-remedy.ts'
import { ACTION_TAG_PREFIX, type MaintenanceAction } from '../../../shared/domain/instance-tags.ts'
import { must } from '../../../shared/domain/must.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { wholeView } from '../../fixtures/view/whole-view.ts'

/** What an operator changes by hand, through the contract, against the embedded clouds. */
const CLUSTER = 'lab'
let directory: string
let demo: DemoClouds
let app: App

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-by-hand-'))
  demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 20 })
  app = valueIn(
    await createApp({
      dataDirectory: join(directory, 'data'),
      demo: false,
      face: { kind: 'serve', pickFiles: null, secrets: null },
    }),
  )
})

afterAll(async () => {
  await app.close()
  await demo.stop()
  await rm(directory, { recursive: true, force: true })
})

const files = () => must(demo.clusters[0], 'the demo has demo-plain')
// prose-ignore: the name of the contract's method.
const ask: App['contract']['ask'] = (name, input) => app.contract.ask(name, input)

function server(name: string) {
  return must(
    [...demo.openstack.state.servers.values()].find(each => each.name === name),
    `the demo has ${name}`,
  )
}

const tagsOf = (name: string) => [...server(name).tags].sort()
const tag = (action: MaintenanceAction) => `${ACTION_TAG_PREFIX}${action}`
const mark = async (marks: Readonly<Record<string, readonly MaintenanceAction[]>>) =>
  valueIn(
    await ask('instance.mark', {
      cluster: CLUSTER,
      marks: Object.entries(marks).map(([name, actions]) => ({ id: server(name).id, actions: [...actions] })),
    }),
  ).results
const edits = async (node: string | null = null) =>
  valueIn(await ask('edit.list', { cluster: CLUSTER, node, limit: 100 }))

describe('a cluster', () => {
  test('is added by looking into its files, trying them out, and registering them', async () => {
    const { kubeconfigPath, context, cloudsYamlPath, cloud } = files()
    const { contexts } = valueIn(await ask('kubeconfig.inspect', { paths: [kubeconfigPath] }))
    expect(contexts.map(({ name, current }) => [name, current])).toEqual([[context, true]])
    const { clouds } = valueIn(await ask('clouds.inspect', { path: cloudsYamlPath }))
    expect(clouds).toMatchObject([
      { name: cloud, user: 'admin', project: 'admin', region: 'RegionOne', problem: null },
      { name: `${cloud}-demo`, user: 'demo', project: 'demo', problem: null },
    ])
    const kubeconfig = { paths: [kubeconfigPath], context }
    const tried = valueIn(await ask('cluster.try', { kubeconfig, cloud: { path: cloudsYamlPath, cloud } }))
    expect(tried.items.filter(({ outcome }) => outcome === 'failed' || outcome === 'missing')).toEqual([])
    expect(valueIn(await ask('cluster.list', {}))).toEqual([])
    let changed = 0
    app.contract.listen('cluster.changed', () => {
      changed += 1
    })
    valueIn(
      await ask('cluster.add', {
        name: CLUSTER,
        flavour: 'plain',
        kubeconfig,
        cloud: { path: cloudsYamlPath, cloud },
      }),
    )
    expect(changed).toBe(1)
    expect((await edits()).map(({ kind, target, before }) => [kind, target, before])).toEqual([
      ['cluster-settings', `cluster/${CLUSTER}`, 'not registered'],
    ])
  })

  test('is changed: marked, coloured, limited, and each change is in the journal in short words', async () => {
    const changed = valueIn(
      await ask('cluster.update', { name: CLUSTER, change: { colour: 'pink', openstackNamespace: 'os' } }),
    )
    expect(changed).toMatchObject({ colour: 'pink', openstackNamespace: 'os', production: false })
    expect((await edits())[0]).toMatchObject({
      before: 'namespace of OpenStack: openstack; colour: chosen by the console',
      after: 'namespace of OpenStack: os; colour: pink',
    })
    const before = await edits()
    valueIn(await ask('cluster.update', { name: CLUSTER, change: { colour: 'pink' } }))
    expect(await edits()).toEqual(before)
  })

  test('cannot be given files that cannot be used', async () => {
    const wrong = { paths: [join(directory, 'nowhere')], context: 'x' }
    expect(failureIn(await ask('cluster.update', { name: CLUSTER, change: { kubeconfig: wrong } })).code).toBe(
      'not-found',
    )
    const cloud = { path: files().cloudsYamlPath, cloud: 'moon' }
    expect(failureIn(await ask('cluster.update', { name: CLUSTER, change: { cloud } })).message).toContain('moon')
  })

  test('can be given another cloud, and is then reached over it', async () => {
    const { cloudsYamlPath, cloud } = files()
    const other = { path: cloudsYamlPath, cloud: `${cloud}-demo` }
    valueIn(await ask('cluster.update', { name: CLUSTER, change: { cloud: other } }))
    expect(failureIn(await ask('instance.list', { cluster: CLUSTER, node: null })).code).toBe('not-permitted')
    valueIn(await ask('cluster.update', { name: CLUSTER, change: { cloud: { path: cloudsYamlPath, cloud } } }))
    expect(valueIn(await ask('instance.list', { cluster: CLUSTER, node: null })).instances.length).toBeGreaterThan(50)
  })
})

describe('an instance that blocks its node', () => {
  const seenOf = (name: string) => {
    const { host, taskState } = server(name)
    return { host, status: 'ERROR', taskState }
  }
  const remedy = (name: string, remedy: InstanceRemedy, more: Partial<RequestInput<'instance.remedy'>> = {}) =>
    ask('instance.remedy', { cluster: CLUSTER, id: server(name).id, remedy, seen: seenOf(name), reason: '', ...more })
  const blockersOn = async (node: string) => {
    const { checks } = valueIn(await ask('plan.make', { cluster: CLUSTER, node, kind: 'enter', choices: {} }))
    return checks.flatMap(({ answer }) =>
      answer.kind === 'blocked' ? answer.blockers.flatMap(({ values }) => values?.name ?? []) : [],
    )
  }

  test('has its state reset, and may move then; the journal names who, what for and with which result', async () => {
    expect(await blockersOn('cmp-07')).toContain('broken-03')
    const done = valueIn(await remedy('broken-03', 'reset-state', { reason: 'ticket 4711' }))
    expect(done).toEqual({ name: 'broken-03', status: 'ACTIVE', done: true })
    expect(server('broken-03')).toMatchObject({ vmState: 'active', host: 'cmp-07' })
    expect(await blockersOn('cmp-07')).not.toContain('broken-03')
    const [after, ahead] = (await edits('cmp-07')).filter(({ kind }) => kind === 'instance-remedy')
    const same = { target: `server/${server('broken-03').id} (broken-03)`, before: 'ERROR on cmp-07', refused: null }
    expect(ahead).toMatchObject({ ...same, after: 'state reset, requested. Reason: ticket 4711' })
    expect(after).toMatchObject({ ...same, after: 'state reset: ACTIVE on cmp-07. Reason: ticket 4711' })
    expect(after?.operator).not.toBe('')
  })

  test.each<
    [
      string,
      InstanceRemedy,
      Partial<Pick<Server, 'vmState' | 'taskState'>>,
      Partial<RequestInput<'instance.remedy'>['seen']>,
      string,
    ]
  >([
    ['moved since', 'reset-state', {}, { host: 'cmp-05' }, 'InstanceIsElsewhere'],
    ['recovered since', 'reset-state', { vmState: 'active' }, {}, 'InstanceHasChanged'],
    ['is in no ERROR', 'reset-state', { vmState: 'active' }, { status: 'ACTIVE' }, 'InstanceNotInError'],
    ['got a task since', 'stop', { taskState: 'powering-off' }, { taskState: null }, 'InstanceHasChanged'],
    ['has a task that may be at work', 'reset-state', { taskState: 'rebooting' }, {}, 'TaskMayBeAtWork'],
    ['is being moved', 'reset-state', { taskState: 'resize_migrating' }, {}, 'InstanceMoves'],
    ['has a task, in which Nova does not stop it', 'stop', { taskState: 'rebooting' }, {}, 'StopNeedsNoTask'],
  ])('is left alone if it %s', async (_, what, state, seen, reason) => {
    const broken = server('broken-02')
    const before = { vmState: broken.vmState, taskState: broken.taskState }
    Object.assign(broken, state, { updatedAt: Date.now() })
    const noted = (await edits()).length
    const shown = { host: broken.host, status: 'ERROR', taskState: broken.taskState, ...seen }
    expect(failureIn(await remedy('broken-02', what, { seen: shown }))).toMatchObject({ code: 'conflict', reason })
    expect(broken, 'nothing was sent').toMatchObject(state)
    expect((await edits()).length, 'and nothing was announced').toBe(noted)
    Object.assign(broken, before)
  })

  test('is shut down where it is, and no longer blocks', async () => {
    expect(valueIn(await remedy('broken-02', 'stop'))).toEqual({ name: 'broken-02', status: 'SHUTOFF', done: true })
    expect(server('broken-02')).toMatchObject({ vmState: 'stopped', host: 'cmp-04' })
    expect(await blockersOn('cmp-04')).toEqual(['broken-01'])
  })
})

describe('an instance is marked', () => {
  test('one: its tag is changed in Nova, foreign tags stay, and undo brings it back', async () => {
    const [result] = await mark({ 'cache-01': ['notify'] })
    expect(result).toMatchObject({ name: 'cache-01', before: ['poweroff'], after: ['notify'], failure: null })
    expect(tagsOf('cache-01')).toEqual([tag('notify'), 'team=web'])
    expect((await edits('cmp-01'))[0]).toMatchObject({
      kind: 'instance-mark',
      node: 'cmp-01',
      target: `server/${server('cache-01').id} (cache-01)`,
      before: 'poweroff',
      after: 'notify',
      refused: null,
    })
    await mark({ 'cache-01': must(result, 'it was answered for').before })
    expect(tagsOf('cache-01')).toEqual([tag('poweroff'), 'team=web'])
  })

  test('several at once: each is answered for on its own, one in ERROR by why and what to do', async () => {
    const before = tagsOf('web-04')
    const results = await mark({
      'web-04': ['live_migrate'],
      'broken-01': ['poweroff'],
      'web-05': ['poweroff'],
      'build-01': [],
      'batch-01': ['notify'],
      'sleep-01': ['notify'],
    })
    expect(results.map(({ name, after, failure }) => [name, after, failure?.code ?? null])).toEqual([
      ['web-04', ['live_migrate'], null],
      ['broken-01', [], 'conflict'],
      ['web-05', ['poweroff'], null],
      ['build-01', [], null],
      ['batch-01', ['notify'], null],
      ['sleep-01', ['notify'], null],
    ])
    expect(results[1]?.failure?.message).toContain('broken-01 takes no mode while it is in ERROR')
    expect(tagsOf('web-05')).toEqual([`${ACTION_TAG_PREFIX}evacuate`, tag('poweroff')])
    const refused = (await edits()).filter(edit => edit.refused !== null)
    expect(refused).toMatchObject([{ node: 'cmp-04', before: "the node's default", after: 'poweroff' }])
    await mark({ 'web-04': ['live_migrate', 'poweroff'] })
    expect(tagsOf('web-04')).toEqual(before)
  })

  test('and an open view shows it soon after', async () => {
    const { view } = await wholeView(app.contract, CLUSTER)
    const { id } = server('web-03')
    expect(view.instances.find(each => each.id === id)).toMatchObject({ marks: [], action: 'live_migrate' })
    const shown = new Promise<unknown>(resolve => {
      const stop = app.contract.listen('view.patch', ({ changes }) => {
        for (const change of changes) {
          if (change.kind !== 'instance' || change.value.id !== id) continue
          stop()
          resolve(change.value)
        }
      })
    })
    await mark({ 'web-03': ['poweroff'] })
    // Nova reports no changed tag, and Lockkeeper reads its whole list a minute later, long after this test.
    expect(await shown).toMatchObject({ marks: ['poweroff'], action: 'poweroff' })
  })

  test('by nobody whom the policy does not let: 403 with the rule and the role that has it', async () => {
    const remove = demo.openstack.faults.onRequests({
      method: 'PUT',
      path: /\/tags\//,
      effect: {
        kind: 'status',
        status: 403,
        json: {
          forbidden: {
            code: 403,
            message: "Policy doesn't allow os_compute_api:os-server-tags:update to be performed.",
          },
        },
      },
    })
    const [result] = await mark({ 'web-06': ['notify'] })
    remove()
    expect(result?.failure?.code).toBe('not-permitted')
    expect(result?.failure?.message).toContain('os_compute_api:os-server-tags:update')
    expect(result?.failure?.message).toContain('the role member in the project of the instance, or admin')
    expect(tagsOf('web-06')).toEqual([])
  })

  test('not when it has fifty tags already, and not when it is named twice or is not there', async () => {
    const full = server('web-07')
    full.tags = Array.from({ length: 50 }, (_, index) => `t${index}`)
    const [result] = await mark({ 'web-07': ['notify'] })
    expect(result?.failure?.message).toContain('Remove a tag that web-07 no longer needs')
    const twice = { id: full.id, actions: [] }
    expect(failureIn(await ask('instance.mark', { cluster: CLUSTER, marks: [twice, twice] })).code).toBe('bad-input')
    const nowhere = { id: '00000000-0000-4000-8000-000000000000', actions: [] }
    const [unknown] = valueIn(await ask('instance.mark', { cluster: CLUSTER, marks: [nowhere] })).results
    expect(unknown?.failure?.code).toBe('not-found')
  })
})

describe('the mode of a host', () => {
  const annotations = (node: string) => demo.kubernetes.objects.get('Node', null, node)?.metadata.annotations ?? {}

  test('is written to its node, read back, journaled, and undone', async () => {
    const set = valueIn(await ask('node.set-mode', { cluster: CLUSTER, node: 'cmp-02', mode: 'manual', attempts: 5 }))
    expect(set).toEqual({ before: { mode: null, attempts: null }, after: { mode: 'manual', attempts: '5' } })
    expect(annotations('cmp-02')).toMatchObject({ [HOST_MODE_ANNOTATION]: 'manual', [ATTEMPTS_ANNOTATION]: '5' })
    expect((await edits('cmp-02'))[0]).toMatchObject({
      kind: 'host-mode',
      target: 'node/cmp-02',
      before: 'mode not set, attempts not set',
      after: 'mode manual, attempts 5',
    })
    valueIn(await ask('node.set-mode', { cluster: CLUSTER, node: 'cmp-02', restore: set.before }))
    expect(Object.keys(annotations('cmp-02'))).not.toContain(HOST_MODE_ANNOTATION)
    expect(Object.keys(annotations('cmp-02'))).not.toContain(ATTEMPTS_ANNOTATION)
  })

  test('of a node that is not there is a failure that names it', async () => {
    const refused = failureIn(await ask('node.set-mode', { cluster: CLUSTER, node: 'cmp-99', mode: 'skip' }))
    expect(refused).toMatchObject({ code: 'not-found', message: expect.stringContaining('cmp-99') })
  })
})

describe('an open view', () => {
  test('ends when the roles of its nodes are set otherwise, and shows them when it is opened again', async () => {
    valueIn(await ask('view.open', { cluster: CLUSTER }))
    const ended = new Promise<string>(resolve => {
      const stop = app.contract.listen('view.ended', ({ cluster }) => {
        stop()
        resolve(cluster)
      })
    })
    const [lab] = valueIn(await ask('cluster.list', {}))
    const { roleLabels } = must(lab, 'the cluster is registered')
    const none = { ...roleLabels, compute: [] }
    valueIn(await ask('cluster.update', { name: CLUSTER, change: { roleLabels: none } }))
    expect(await ended).toBe(CLUSTER)
    const { view } = await wholeView(app.contract, CLUSTER)
    // Nova still says what they are: the labels alone make nobody another one.
    const computes = view.nodes.filter(({ roles }) => roles.includes('compute'))
    expect(computes.map(({ roleContradictions }) => roleContradictions.length)).toEqual(computes.map(() => 1))
    expect(computes).not.toEqual([])
    valueIn(await ask('cluster.update', { name: CLUSTER, change: { roleLabels } }))
  })
})

describe('on a cluster that is marked as production', () => {
  test('a disruptive plan starts only with its name, and the plan stays at hand meanwhile', async () => {
    valueIn(await ask('cluster.update', { name: CLUSTER, change: { production: true } }))
    const { plan } = valueIn(
      await ask('plan.make', { cluster: CLUSTER, node: 'cmp-05', kind: 'enter', choices: { concurrency: 8 } }),
    )
    for (const typed of [{}, { typedCluster: 'LAB' }]) {
      const refused = failureIn(await ask('run.start', { planId: plan.id, outsideWindow: 'a test', ...typed }))
      expect(refused.code).toBe('bad-input')
      expect(refused.message).toContain('production')
    }
    const rested = new Promise<string>(resolve => {
      app.contract.listen('run.rested', ({ state }) => resolve(state))
    })
    const run = valueIn(await ask('run.start', { planId: plan.id, typedCluster: CLUSTER, outsideWindow: 'a test' }))

    const { cloudsYamlPath, cloud } = files()
    const way = { cloud: { path: cloudsYamlPath, cloud: `${cloud}-demo` } }
    const held = failureIn(await ask('cluster.update', { name: CLUSTER, change: way }))
    expect(held).toMatchObject({ code: 'held', message: expect.stringContaining(run.id) })
    expect(failureIn(await ask('cluster.remove', { name: CLUSTER })).code).toBe('held')
    valueIn(await ask('cluster.update', { name: CLUSTER, change: { colour: 'lemon' } }))

    expect(await rested).toBe('done')
    expect(valueIn(await ask('run.list', { cluster: CLUSTER, node: 'cmp-05', limit: 1 }))[0]?.id).toBe(run.id)
    expect(valueIn(await ask('run.list', { cluster: CLUSTER, node: 'cmp-06' }))).toEqual([])
  })

  test('once this console has no run on it, it can be removed', async () => {
    valueIn(await ask('cluster.remove', { name: CLUSTER }))
    expect(valueIn(await ask('cluster.list', {}))).toEqual([])
    expect((await edits())[0]).toMatchObject({ after: 'no longer registered' })
  })
})
