import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import type { SunbeamCloud } from '../../../main/wings/simulators/start-sunbeam.ts'
import { must } from '../../../shared/domain/must.ts'
import type { NodeSummary } from '../../../shared/domain/node-summary.ts'
import type { RunOptions } from '../../../shared/domain/plan.ts'
import { lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

/**
 * The control and network roles of demo-sunbeam and the state of its nodes, in a console and in the terminal: each
 * condition is broken and repaired in the simulators, never in Lockkeeper's state.
 */
describe('the control and network roles of a sunbeam cloud', () => {
  let directory: string
  let data: string
  let demo: DemoClouds
  let app: App

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-sunbeam-control-'))
    data = join(directory, 'data')
    demo = await startDemoClouds({
      clock: systemClock,
      directory: join(directory, 'clouds'),
      speed: 20,
      sunbeam: { jujuControllerOn: 'sun-2' },
    })
    const { kubeconfigPath, context, cloudsYamlPath, cloud, roleMaintenance } = sunbeam().cluster
    const juju = roleMaintenance.juju
    if (juju?.kind !== 'client-files') throw new Error("demo-sunbeam has the Juju client's files")
    const added = await lockkeeper(data, [
      ...['cluster', 'add', 's', '--kubeconfig', kubeconfigPath, '--context', context],
      ...['--clouds-yaml', cloudsYamlPath, '--cloud', cloud, '--flavour', 'sunbeam'],
      ...['--juju-directory', juju.directory, '--juju-controller', juju.controller, '--juju-model', juju.model],
      ...['--ceph-services-rule', roleMaintenance.cephServicesRule ?? 'auto'],
    ])
    expect(added.code, added.stdout + added.stderr).toBe(0)
    app = valueIn(
      await createApp({
        dataDirectory: data,
        demo: false,
        face: { kind: 'serve', pickFiles: null, secrets: null },
      }),
    )
  })

  afterEach(() => {
    sunbeam().juju.faults.clear()
    sunbeam().machines.dqlite.set('sun-3', true)
  })

  afterAll(async () => {
    await app?.close()
    await demo?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const sunbeam = (): SunbeamCloud => must(demo.sunbeam, 'it was asked for')

  const ceph = (...words: readonly string[]) =>
    expect(must(sunbeam().ceph, 'it has Ceph').command(['ceph', ...words])?.exitCode).toBe(0)

  /** The plan and what its checks say. */
  async function checked(kind: 'enter' | 'leave', node: string, overrides: RunOptions['overrides'] = []) {
    const plan = valueIn(
      await app.contract.ask('plan.make', { cluster: 's', kind, node, choices: { overrides: [...overrides] } }),
    )
    return {
      plan,
      answer: (step: string) => must(plan.checks.find(({ stepId }) => stepId === step)?.answer, `no step ${step}`),
    }
  }

  async function nodes(): Promise<ReadonlyMap<string, NodeSummary>> {
    const { nodes: rows } = valueIn(await app.contract.ask('node.list', { cluster: 's' }))
    return new Map(rows.map(row => [row.name, row]))
  }

  /** The state of a node in the live view. */
  async function seen(node: string) {
    const { view } = valueIn(await app.contract.ask('view.open', { cluster: 's' }))
    return view.nodes.find(({ name }) => name === node)?.state
  }

  it('knows the roles that no label tells, and every node in service', async () => {
    const rows = [...(await nodes()).values()]
    expect(rows.map(({ name, state, roles }) => [name, state, roles])).toEqual(
      ['sun-1', 'sun-2', 'sun-3'].map(name => [name, 'active', ['control', 'gateway', 'compute', 'storage']]),
    )
  })

  it('counts the members of dqlite over Juju: one that stopped blocks, started again it does not', async () => {
    sunbeam().machines.dqlite.set('sun-3', false)
    const broken = (await checked('enter', 'sun-1')).answer('datastore-quorum')
    expect(broken).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'DatastoreQuorumLost', override: { flag: 'force' } }],
    })
    expect(JSON.stringify(broken.evidence)).toContain('on sun-3: k8s.k8s-dqlite is inactive')
    sunbeam().machines.dqlite.set('sun-3', true)
    expect((await checked('enter', 'sun-1')).answer('datastore-quorum')).toMatchObject({ kind: 'ready' })
  })

  it("never lets the node of Juju's own controller go, whatever is forced", async () => {
    const { plan, answer } = await checked('enter', 'sun-2', [
      { flag: 'force', reason: 'sure' },
      { flag: 'allow-downtime', reason: 'sure' },
    ])
    expect(answer('no-juju-controller')).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'JujuControllerOnNode', override: { kind: 'never' } }],
    })
    expect(plan.startable).toBe(false)
    expect((await checked('enter', 'sun-1')).answer('no-juju-controller')).toMatchObject({
      kind: 'ready',
      reason: 'The Juju controller runs on sun-2.',
    })
  })

  it('names the pods whose disks stay, before anything is cordoned', async () => {
    const drain = (await checked('enter', 'sun-1')).answer('drain-node')
    const waiting = drain.effects.filter(
      effect => effect.kind === 'pod' && effect.warnings.some(warning => warning.includes('stays Pending')),
    )
    expect(waiting).toMatchObject([{ name: expect.stringMatching(/^mysql-/) }])
    expect(drain.warnings.map(({ message }) => message).join()).toContain('stay Pending until sun-1 is back')
  })

  it('claims nothing about a node while Juju does not answer, and blocks what depends on it', async () => {
    sunbeam().juju.faults.setReachable(false)
    const row = (await nodes()).get('sun-1')
    expect(row).toMatchObject({ state: 'unknown', stateReason: expect.stringContaining('Ceph did not answer') })
    expect((await checked('enter', 'sun-1')).answer('datastore-quorum')).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'DatastoreQuorumNotKnown', override: { flag: 'force' } }],
    })
    sunbeam().juju.faults.setReachable(true)
    await vi.waitFor(async () => expect((await nodes()).get('sun-1')?.state).toBe('active'), { timeout: 20_000 })
  })

  it('is in maintenance only while every condition holds, warns of a second node, and comes back with OVN enabled', async () => {
    const entered = await lockkeeper(data, ['enter', 's', 'sun-1', '--yes', '--reason', 'ticket 5'])
    expect(entered.code, entered.stdout + entered.stderr).toBe(0)
    expect((await nodes()).get('sun-1')).toMatchObject({
      state: 'maintenance',
      conditions: [
        { role: 'control', holds: 'holds' },
        { role: 'compute', holds: 'holds' },
        { role: 'storage', holds: 'holds' },
      ],
    })
    // The live view has the same result from its own sources.
    await vi.waitFor(async () => expect(await seen('sun-1')).toBe('maintenance'), { timeout: 30_000, interval: 500 })
    // noout covers all of Ceph meanwhile: no other node is in maintenance for that.
    expect((await nodes()).get('sun-3')?.state).toBe('active')

    const second = (await checked('enter', 'sun-3')).answer('other-nodes-in-maintenance')
    expect(second.kind).toBe('ready')
    expect(second.warnings[0]?.message).toContain('sun-1 (cordoned; nova-compute disabled: watcher_maintaining')
    expect(second.warnings.map(({ message }) => message).join()).toMatch(/Compute: 1 of 3 hosts.*Ceph: 1 of 3 hosts/)

    // Somebody takes noout away behind our back.
    ceph('osd', 'unset', 'noout')
    expect((await nodes()).get('sun-1')).toMatchObject({
      state: 'partial',
      stateReason: expect.stringContaining('up, and not covered by noout'),
    })
    ceph('osd', 'set', 'noout')

    sunbeam().machines.ovn.get('sun-1')?.delete('chassis')
    const left = await lockkeeper(data, ['leave', 's', 'sun-1', '--yes', '--disable-instance-workload-rebalancing'])
    expect(left.code, left.stdout + left.stderr).toBe(0)
    expect([...(sunbeam().machines.ovn.get('sun-1') ?? [])]).toContain('chassis')
    expect((await nodes()).get('sun-1')?.state).toBe('active')
    await vi.waitFor(async () => expect(await seen('sun-1')).toBe('active'), { timeout: 30_000, interval: 500 })
  })

  it('shows a machine that Kubernetes forgets as one outside of it, and calls none decommissioned that is full', async () => {
    const { kubernetes, openstack } = sunbeam()
    kubernetes.objects.remove('Node', null, 'sun-3')
    // Its snaps keep running: nova-compute and the OSD are no pods.
    await vi.waitFor(async () => expect(await seen('sun-3')).toBe('active'), { timeout: 30_000, interval: 500 })
    expect((await nodes()).get('sun-3')).toMatchObject({
      state: 'active',
      roles: ['compute', 'storage'],
      stateReason: 'It is a machine outside of Kubernetes.',
    })
    expect((await checked('enter', 'sun-3')).answer('machine-found')).toMatchObject({
      // Its pods may not have ended yet: then they are a separate blocker.
      blockers: expect.arrayContaining([
        expect.objectContaining({
          code: 'MachineRunsKubernetes',
          message: expect.stringContaining('Kubernetes lists no node of that name'),
        }),
      ]),
    })
    openstack.faults.setComputeUp('sun-3', false)
    const { osds, setOsdUp } = must(sunbeam().ceph, 'it has Ceph')
    for (const { id, host } of osds()) if (host === 'sun-3') setOsdUp(id, false)
    expect((await nodes()).get('sun-3')).toMatchObject({
      state: 'partial',
      roles: ['compute', 'storage'],
      stateReason: expect.stringMatching(
        /other nodes have not taken over its work: \d+ instances are on it in Nova; OSD/,
      ),
    })
    await vi.waitFor(async () => expect(await seen('sun-3')).toBe('partial'), { timeout: 30_000, interval: 500 })
    expect(JSON.stringify((await checked('enter', 'sun-1')).answer('other-control-node').evidence)).not.toContain(
      'sun-3',
    )
  })
})
