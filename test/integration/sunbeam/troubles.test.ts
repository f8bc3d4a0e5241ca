import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import type { SunbeamCloud, SunbeamOptions } from '../../../main/wings/simulators/start-sunbeam.ts'
import { must } from '../../../shared/domain/must.ts'
import { type CliAnswer, lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'

/** Failures in the middle, as the terminal prints them and the simulators record them. */
describe('on demo-sunbeam', () => {
  let directory: string
  let demo: DemoClouds

  afterEach(async () => {
    await demo.stop()
    await rm(directory, { recursive: true, force: true })
  })

  async function begin(options: SunbeamOptions = {}): Promise<SunbeamCloud> {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-sunbeam-troubles-'))
    demo = await startDemoClouds({
      clock: systemClock,
      directory: join(directory, 'clouds'),
      speed: 20,
      sunbeam: options,
    })
    const cloud = must(demo.sunbeam, 'the demo has Sunbeam')
    const { kubeconfigPath, context, cloudsYamlPath, cloud: name, roleMaintenance } = cloud.cluster
    const files = roleMaintenance.juju?.kind === 'client-files' ? roleMaintenance.juju.directory : ''
    const added = await run([
      ...['cluster', 'add', 'sun', '--flavour', 'sunbeam', '--kubeconfig', kubeconfigPath, '--context', context],
      ...['--clouds-yaml', cloudsYamlPath, '--cloud', name],
      ...['--juju-directory', files, '--juju-controller', cloud.juju.name, '--juju-model', cloud.juju.model],
      ...['--ceph-services-rule', roleMaintenance.cephServicesRule ?? 'auto'],
    ])
    expect(added.code, reported(added)).toBe(0)
    await vi.waitFor(() => expect(cloud.kubernetes.objects.list('Pod').length).toBeGreaterThan(12), {
      timeout: 20_000,
    })
    return cloud
  }

  const run = (args: readonly string[]) => lockkeeper(join(directory, 'data'), args)
  const instancesOn = (cloud: SunbeamCloud, host: string) =>
    [...cloud.openstack.state.servers.values()].filter(server => server.host === host).map(({ name }) => name)
  const flags = (cloud: SunbeamCloud) =>
    must(cloud.ceph, 'it has Ceph').command(['ceph', 'osd', 'dump', '--format', 'json'])?.stdout ?? ''

  it('Watcher says SUCCEEDED although an action FAILED: the run asks, and Nova moves what is left', async () => {
    const cloud = await begin({ watcher: { oldPlanState: true } })
    const watcher = must(cloud.openstack.watcher, 'it has Watcher')
    watcher.faults.actions['db-01'] = 'fail'
    const entered = await run(['enter', 'sun', 'sun-1', '--yes'])
    expect(entered.code, reported(entered)).toBe(4)
    expect(watcher.records.plans.filter(({ state }) => state === 'SUCCEEDED')).toHaveLength(1)
    expect(instancesOn(cloud, 'sun-1')).toEqual(['db-01'])
    expect(reported(entered)).toContain('db-01')
    const { groups } = must(/run answer (?<id>\S+) (?<gate>\S+) /.exec(reported(entered)), 'it says how to answer')
    const answered = await run(['run', 'answer', must(groups?.id, 'named'), must(groups?.gate, 'named'), 'retry'])
    expect(answered.code, reported(answered)).toBe(0)
    expect(instancesOn(cloud, 'sun-1')).toEqual([])
    expect(watcher.records.plans.filter(({ state }) => state === 'SUCCEEDED')).toHaveLength(1)
  })

  it('Juju closes the connection after it accepted the action: the action is followed and not started twice', async () => {
    const cloud = await begin()
    cloud.juju.faults.breakAt({ request: 'Action.EnqueueOperation', when: 'after' })
    const entered = await run(['enter', 'sun', 'sun-1', '--yes', '--stop-osds'])
    const again = entered.code === 0 ? entered : await run(['run', 'resume', runOf(entered)])
    expect(again.code, reported(entered) + reported(again)).toBe(0)
    const stops = cloud.juju.tasks().filter(task => task.name === 'enter-maintenance' && task.parameters['stop-osds'])
    expect(stops.map(({ unit }) => unit)).toEqual(['microceph/0'])
    expect(
      must(cloud.ceph, 'it has Ceph')
        .osds()
        .filter(({ up }) => !up),
    ).toHaveLength(1)
  })

  it.each([
    ['sun-1', 'sun-2'],
    ['sun-2', 'sun-1'],
  ])('two nodes under noout, %s leaves first: it goes with the last one', async (first, last) => {
    const cloud = await begin()
    // Its third member waits for a disk of the first node, so no other may leave: another test covers that.
    cloud.kubernetes.objects.remove('PodDisruptionBudget', 'openstack', 'mysql')
    const overrides = ['--force', 'test', '--allow-downtime', 'test', '--scope', 'drain', '--yes']
    for (const node of ['sun-1', 'sun-2']) {
      const entered = await run(['enter', 'sun', node, ...overrides])
      expect(entered.code, reported(entered)).toBe(0)
    }
    const leave = (node: string) => run(['leave', 'sun', node, '--yes', '--disable-instance-workload-rebalancing'])
    const one = await leave(first)
    expect(one.code, reported(one)).toBe(0)
    expect(flags(cloud)).toContain('noout')
    const two = await leave(last)
    expect(two.code, reported(two)).toBe(0)
    expect(flags(cloud)).not.toContain('noout')
  })

  it('a node is left while Ceph is degraded: without waiting it says so, and the node is in service', async () => {
    const cloud = await begin()
    const entered = await run(['enter', 'sun', 'sun-1', '--yes', '--scope', 'drain'])
    expect(entered.code, reported(entered)).toBe(0)
    must(cloud.ceph, 'it has Ceph').setOsdUp(2, false)
    const left = await run([
      ...['leave', 'sun', 'sun-1', '--yes', '--no-wait-for-clean', '--disable-instance-workload-rebalancing'],
    ])
    expect(left.code, reported(left)).toBe(0)
    expect(reported(left)).toContain('has not recovered yet')
    expect(reported(left)).toContain('sun-1 is in service.')
  })
})

function runOf(answer: CliAnswer): string {
  return must(/Run (?<id>\S+)/.exec(reported(answer))?.groups?.id, 'it names the run')
}

function reported({ stdout, stderr }: CliAnswer): string {
  return stdout + stderr
}
