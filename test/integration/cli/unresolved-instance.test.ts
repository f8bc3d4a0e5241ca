import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../main/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/demo/demo-clouds.ts'
import { must } from '../../../shared/domain/must.ts'
import { lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'

/** An instance that does not move after all its attempts becomes a question, and every answer leads somewhere. */
describe('an instance that cannot be moved', () => {
  let directory: string
  let data: string
  let demo: DemoClouds

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-unresolved-'))
    data = join(directory, 'data')
    demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 6 })
    const cloud = must(demo.clusters[0], 'the demo has a cluster')
    const files = ['--kubeconfig', cloud.kubeconfigPath, '--clouds-yaml', cloud.cloudsYamlPath, '--cloud', cloud.cloud]
    expect((await lockkeeper(data, ['cluster', 'add', 'demo', ...files])).code).toBe(0)
    demo.openstack.faults.servers['web-01'] = { fail: true }
  })

  afterEach(async () => {
    await demo.stop()
    await rm(directory, { recursive: true, force: true })
  })

  async function enterUntilItAsks() {
    const entered = await lockkeeper(data, ['enter', 'demo', 'cmp-01', '--yes', '--attempts', '2'])
    expect(entered.code, entered.stdout + entered.stderr).toBe(4)
    const answer = must(
      /run answer (?<run>\S+) (?<gate>\S+) /.exec(entered.stdout + entered.stderr)?.groups,
      'it says how to answer',
    )
    return { ...entered, run: must(answer.run, 'named'), gate: must(answer.gate, 'named') }
  }

  it('is tried as often as allowed, the others move meanwhile, and the run asks and can be left', async () => {
    const { stdout, stderr } = await enterUntilItAsks()
    expect(stdout + stderr).toContain('web-01')
    const asked = demo.openstack.log.filter(entry => entry.action === 'os-migrateLive')
    const web = must(
      [...demo.openstack.state.servers.values()].find(server => server.name === 'web-01'),
      'the scenario has it',
    )
    expect(asked.filter(entry => entry.path.includes(web.id))).toHaveLength(2)
    expect(web.host).toBe('cmp-01')
    const left = await lockkeeper(data, ['instances', 'demo', 'cmp-01', '-o', 'json'])
    const moving = (JSON.parse(left.stdout) as { name: string; action: string }[]).filter(
      instance => instance.action === 'live_migrate',
    )
    expect(moving.map(instance => instance.name)).toEqual(['web-01'])
  })

  it('retry moves it once the cause is mended, and the run is done', async () => {
    const { run, gate } = await enterUntilItAsks()
    delete demo.openstack.faults.servers['web-01']
    const answered = await lockkeeper(data, ['run', 'answer', run, gate, 'retry'])
    expect(answered.code, answered.stdout + answered.stderr).toBe(0)
    const nodes = await lockkeeper(data, ['nodes', 'demo', '-o', 'json'])
    expect(JSON.parse(nodes.stdout)).toContainEqual(expect.objectContaining({ name: 'cmp-01', state: 'maintenance' }))
  })

  it('skip leaves it there with the reason, the rest is done, and the node is honestly only partly empty', async () => {
    const { run, gate } = await enterUntilItAsks()
    const answered = await lockkeeper(data, ['run', 'answer', run, gate, 'skip', '--reason', 'its owner agrees'])
    expect(answered.code, answered.stdout + answered.stderr).toBe(0)
    expect(answered.stdout + answered.stderr).toContain('skipped')
    const nodes = await lockkeeper(data, ['nodes', 'demo', '-o', 'json'])
    expect(JSON.parse(nodes.stdout)).toContainEqual(expect.objectContaining({ name: 'cmp-01', state: 'partial' }))
  })
})
