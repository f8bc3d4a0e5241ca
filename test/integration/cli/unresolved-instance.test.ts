import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { must } from '../../../shared/domain/must.ts'
import { lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'

/** An instance that does not move after all its attempts becomes a question, and every answer leads somewhere. */
describe('an instance that cannot be moved', () => {
  let directory: string
  let data: string
  let demo: DemoClouds

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-unresolved-'))
    data = join(directory, 'data')
    demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 20 })
    const cloud = must(demo.clusters[0], 'the demo has a cluster')
    const files = ['--kubeconfig', cloud.kubeconfigPath, '--clouds-yaml', cloud.cloudsYamlPath, '--cloud', cloud.cloud]
    expect((await lockkeeper(data, ['cluster', 'add', 'demo', ...files])).code).toBe(0)
  })

  afterAll(async () => {
    await demo.stop()
    await rm(directory, { recursive: true, force: true })
  })

  async function enterUntilItAsks(node: string) {
    const entered = await lockkeeper(data, ['enter', 'demo', node, '--yes', '--attempts', '2'])
    expect(entered.code, entered.stdout + entered.stderr).toBe(4)
    const answer = must(
      /run answer (?<run>\S+) (?<gate>\S+) /.exec(entered.stdout + entered.stderr)?.groups,
      'it says how to answer',
    )
    return { ...entered, run: must(answer.run, 'named'), gate: must(answer.gate, 'named') }
  }

  const server = (name: string) =>
    must(
      [...demo.openstack.state.servers.values()].find(each => each.name === name),
      'the scenario has it',
    )
  const stateOf = async (node: string) => {
    const nodes = await lockkeeper(data, ['nodes', 'demo', '-o', 'json'])
    return (JSON.parse(nodes.stdout) as { name: string; state: string }[]).find(({ name }) => name === node)?.state
  }

  it('gets all its attempts while the others move; then the run asks and can be left; retry moves it once the cause is gone', async () => {
    demo.openstack.faults.servers['web-01'] = { fail: true }
    const { stdout, stderr, run, gate } = await enterUntilItAsks('cmp-01')
    expect(stdout + stderr).toContain('web-01')
    const asked = demo.openstack.log.filter(entry => entry.action === 'os-migrateLive')
    expect(asked.filter(entry => entry.path.includes(server('web-01').id))).toHaveLength(2)
    expect(server('web-01').host).toBe('cmp-01')
    const left = await lockkeeper(data, ['instances', 'demo', 'cmp-01', '-o', 'json'])
    const moving = (JSON.parse(left.stdout) as { name: string; action: string }[]).filter(
      instance => instance.action === 'live_migrate',
    )
    expect(moving.map(instance => instance.name)).toEqual(['web-01'])

    delete demo.openstack.faults.servers['web-01']
    const answered = await lockkeeper(data, ['run', 'answer', run, gate, 'retry'])
    expect(answered.code, answered.stdout + answered.stderr).toBe(0)
    expect(await stateOf('cmp-01')).toBe('maintenance')
  })

  it('skip leaves it there with the reason, the rest is done, and the node is honestly only partly empty', async () => {
    demo.openstack.faults.servers['web-09'] = { fail: true }
    const { run, gate } = await enterUntilItAsks('cmp-05')
    const answered = await lockkeeper(data, ['run', 'answer', run, gate, 'skip', '--reason', 'its owner agrees'])
    expect(answered.code, answered.stdout + answered.stderr).toBe(5)
    expect(answered.stdout).toContain('cmp-05 is not empty')
    const shown = JSON.parse((await lockkeeper(data, ['run', 'show', run, '-o', 'json'])).stdout)
    expect(JSON.stringify(shown)).toContain('its owner agrees')
    expect(server('web-09').host).toBe('cmp-05')
    expect(await stateOf('cmp-05')).toBe('partial')
  })
})
