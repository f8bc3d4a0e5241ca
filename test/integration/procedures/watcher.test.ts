import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { must } from '../../../shared/domain/must.ts'
import { type CliAnswer, type CliProcess, lockkeeper, startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'

/**
 * Watcher's plan on demo-sunbeam, driven by the terminal in separate processes; the test reads the requests from the servers' log.
 * Storage is left out: it has its own tests.
 */
describe("a node that Watcher's plan empties", () => {
  let directory: string
  let data: string
  let demo: DemoClouds
  const running: CliProcess[] = []

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-watcher-'))
    data = join(directory, 'data')
    demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 4, sunbeam: {} })
    const { kubeconfigPath, context, cloudsYamlPath, cloud } = sunbeam().cluster
    const added = await run(
      ...['cluster', 'add', 'sun', '--flavour', 'sunbeam', '--ceph', 'none', '--role-label', 'storage=none'],
      ...['--kubeconfig', kubeconfigPath, '--context', context, '--clouds-yaml', cloudsYamlPath, '--cloud', cloud],
    )
    expect(added.code, reported(added)).toBe(0)
  })

  afterEach(async () => {
    for (const { child } of running) if (child.exitCode === null) child.kill('SIGKILL')
    running.length = 0
    await demo.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const sunbeam = () => must(demo.sunbeam, 'it was asked for')
  const watcher = () => must(sunbeam().openstack.watcher, 'it has Watcher')
  const run = (...words: readonly string[]) => lockkeeper(data, words)
  const on = (host: string) =>
    [...sunbeam().openstack.state.servers.values()].filter(server => server.host === host).map(({ name }) => name)
  const starts = () =>
    sunbeam().openstack.log.filter(
      ({ method, path, status }) => method === 'POST' && path.endsWith('/start') && status < 300,
    )
  /** Changes that Nova got from any client, except Watcher's own applier, which does not use the log. */
  const novaChanges = () =>
    sunbeam().openstack.log.filter(({ method, path }) => method !== 'GET' && path.includes('/servers/'))

  async function until(process: CliProcess, text: RegExp): Promise<void> {
    await vi.waitFor(() => expect(process.output()).toMatch(text), { timeout: 30_000, interval: 20 })
  }

  function start(...words: readonly string[]): CliProcess {
    const process = startLockkeeper(data, words)
    running.push(process)
    return process
  }

  it('is emptied by one plan, started once, however often its console is killed meanwhile', async () => {
    let process = start('enter', 'sun', 'sun-1', '--yes')
    for (const seen of [/action plan .* started for/i, /live-migrate is ONGOING|live-migrate is SUCCEEDED/]) {
      await until(process, seen)
      process.child.kill('SIGKILL')
      await process.finished
      process = start('run', 'resume', runOf(process.output()))
    }
    const end = await process.finished
    expect(end.code, reported(end)).toBe(0)
    expect(starts()).toHaveLength(1)
    expect(on('sun-1')).toEqual([])
    expect(novaChanges()).toEqual([])
  })

  it('is left where it is by an abort: the plan is cancelled, what was under way has finished, nothing else began', async () => {
    watcher().faults.actions['db-01'] = 'hang'
    const process = start('enter', 'sun', 'sun-1', '--yes')
    await until(process, /db-01 \(.*\): Watcher's live-migrate is ONGOING/)
    const aborted = await run('run', 'abort', runOf(process.output()), '--yes', '--reason', 'the window has ended')
    expect(aborted.code, reported(aborted)).toBe(0)
    const end = await process.finished
    expect(reported(end)).toContain('was cancelled: the run is aborted; these actions still finish:')
    expect(watcher().records.plans.at(-1)?.state).toMatch(/CANCELL/)
    delete watcher().faults.actions['db-01']
    await vi.waitFor(() => expect(watcher().records.plans.at(-1)?.state).toBe('CANCELLED'), { timeout: 20_000 })
    // Its plan is cancelled and nothing is under way: nobody is left who could move one.
    const moving = () => [...sunbeam().openstack.state.servers.values()].filter(({ taskState }) => taskState !== null)
    await vi.waitFor(() => expect(moving()).toEqual([]), { timeout: 20_000 })
    const actions = must(watcher().records.plans.at(-1), 'there is a plan')
    expect(actions.state).toBe('CANCELLED')
    expect(on('sun-1').length).toBeGreaterThan(0)
  })

  it('has a paused instance that Watcher would get wrong: it blocks, and goes through Nova when asked for', async () => {
    const refused = await run('enter', 'sun', 'sun-2', '--dry-run')
    expect(refused.code, reported(refused)).toBe(3)
    expect(reported(refused)).toContain('cold-migrated, which Nova refuses while it is paused')
    expect(reported(refused)).toContain('--nova-for-rest')
    const entered = await run('enter', 'sun', 'sun-2', '--yes', '--nova-for-rest', '--allow-downtime', 'test')
    expect(entered.code, reported(entered)).toBe(0)
    expect(on('sun-2')).toEqual([])
    const batch = [...sunbeam().openstack.state.servers.values()].find(({ name }) => name === 'batch-01')
    expect(novaChanges().map(({ path, action }) => [path.split('/').at(-2), action])).toEqual([
      [batch?.id, 'os-migrateLive'],
    ])
  })

  it('has a stopped instance and one with an ephemeral disk: both block until something is chosen', async () => {
    const refused = await run('enter', 'sun', 'sun-3', '--dry-run')
    expect(refused.code, reported(refused)).toBe(3)
    expect(reported(refused)).toContain('is SHUTOFF')
    expect(reported(refused)).toContain('ephemeral disk of 10 GiB')
    const options = ['--cold-migration', '--force', 'agreed', '--allow-downtime', 'test', '--yes']
    const entered = await run('enter', 'sun', 'sun-3', ...options)
    expect(entered.code, reported(entered)).toBe(0)
    expect(on('sun-3')).toEqual([])
    expect(novaChanges()).toEqual([])
  })

  it('comes back, and its instances are spread again only when a person says so', async () => {
    const entered = await run('enter', 'sun', 'sun-1', '--yes')
    expect(entered.code, reported(entered)).toBe(0)
    // Watcher's picture is old for a while; on a cloud with notifications it follows at once.
    const looking = setInterval(() => watcher().rebuildModel(), 50)
    // --yes alone would leave them where they are; an answer that the question does not take leaves it open.
    const left = await run('leave', 'sun', 'sun-1', '--yes', '--answer', 'rebalance-instances=retry')
    clearInterval(looking)
    expect(left.code, reported(left)).toBe(4)
    expect(reported(left)).toMatch(/Watcher recommends \d+ actions? to spread instances again: live-migrate/)
    expect(on('sun-1')).toEqual([])
    const made = watcher().records.plans.length
    const { groups } = must(/run answer (?<id>\S+) (?<gate>\S+) /.exec(reported(left)), 'it says how to answer')
    const answered = await run('run', 'answer', must(groups?.id, 'named'), must(groups?.gate, 'named'), 'continue')
    expect(answered.code, reported(answered)).toBe(0)
    expect(on('sun-1').length).toBeGreaterThan(0)
    // The plan that was shown, not another.
    expect(watcher().records.plans).toHaveLength(made)
  })
})

function runOf(output: string): string {
  return must(/^Run (?<id>\w+)$/m.exec(output)?.groups?.id, 'it names the run')
}

function reported({ stdout, stderr }: CliAnswer): string {
  return stdout + stderr
}
