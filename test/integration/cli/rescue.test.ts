import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { isServiceAlive } from '../../../main/wings/simulators/openstack/world.ts'
import { must } from '../../../shared/domain/must.ts'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { killedAtRandom } from '../../fixtures/cli/killed-driver.ts'
import { type CliAnswer, lockkeeper, startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'

const NODE = 'cmp-07'
const SAID = ['--machine-is-off', 'BMC says power off 10:04', '--shared-disks', 'images_type=rbd']
const KILLS = 2

/** A host of demo-plain dies and is rescued by a console that is killed again and again; what was really asked is read from Nova's own log of actions. */
describe('a dead host of demo-plain', () => {
  let directory: string
  let data: string
  let demo: DemoClouds
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-rescue-'))
    data = join(directory, 'data')
    demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 4 })
    const { kubeconfigPath, context, cloudsYamlPath, cloud } = must(demo.clusters[0], 'the demo has demo-plain')
    const added = await lockkeeper(data, [
      ...['cluster', 'add', 'p', '--kubeconfig', kubeconfigPath, '--context', context],
      ...['--clouds-yaml', cloudsYamlPath, '--cloud', cloud],
    ])
    expect(added.code, added.stdout + added.stderr).toBe(0)
  })
  afterAll(async () => {
    await demo?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const servers = () => [...demo.openstack.state.servers.values()]
  const onIt = () => servers().filter(({ host }) => host === NODE)
  const service = () =>
    must(
      demo.openstack.state.services.find(({ binary, host }) => binary === 'nova-compute' && host === NODE),
      'it has a nova-compute',
    )
  const evacuations = (name: string) =>
    must(
      servers().find(server => server.name === name),
      `there is ${name}`,
    ).actions.filter(({ action }) => action === 'evacuate').length
  const planned = async (...flags: readonly string[]) => {
    const answer = await lockkeeper(data, ['plan', 'rescue', 'p', NODE, ...flags, '-o', 'json'])
    return { code: answer.code, plan: JSON.parse(answer.stdout) as CheckedPlan }
  }
  const codesOf = ({ checks }: CheckedPlan) =>
    checks.flatMap(({ answer }) => (answer.kind === 'blocked' ? answer.blockers.map(({ code }) => code) : []))

  it('is not rescued while it lives', async () => {
    const { code, plan } = await planned(...SAID)
    expect(code).toBe(3)
    expect(codesOf(plan)).toEqual(expect.arrayContaining(['MachineReports', 'ComputeServiceUp']))
  })

  it('is not rescued because it is silent; and who would lose a disk is left, unless that is answered for', async () => {
    demo.kubernetes.setNodeReady(NODE, 'Unknown')
    await vi.waitFor(() => expect(isServiceAlive(demo.openstack.state, service())).toBe(false), {
      timeout: 30_000,
      interval: 100,
    })
    const silent = await planned()
    expect(silent.code).toBe(3)
    expect(codesOf(silent.plan)).toEqual(['MachineNotSaidOff'])
    const said = await planned(...SAID.slice(0, 2))
    expect(said.code).toBe(0)
    const fates = said.plan.checks.flatMap(({ answer }) =>
      answer.effects.flatMap(effect => (effect.kind === 'instance' ? [effect.action] : [])),
    )
    expect(new Set(fates)).toEqual(new Set(['ignore']))
  })

  it('is rescued by a console that is killed again and again: each instance asked for once, all as they were', async () => {
    const before = onIt().map(({ name, vmState }) => ({ name, vmState }))
    expect(before.length).toBeGreaterThan(4)
    let args: readonly string[] = ['rescue', 'p', NODE, ...SAID, '--concurrency', '2', '--yes']
    let answer: CliAnswer | null = null
    for (let kills = 0; ; kills += 1) {
      answer = await (kills === 0
        ? killedAsItForces(args)
        : kills < KILLS
          ? killedAtRandom(data, args)
          : lockkeeper(data, args))
      const open = await interruptedRun()
      if (open === null) break
      // The Lease of a killed console may refuse a few. After a minute of them, what the last one prints says why.
      expect(kills, answer.stdout + answer.stderr).toBeLessThan(KILLS + 60)
      args = machineCheckedAgain(open, answer) ?? ['run', 'resume', open]
    }
    expect(await endedWith(), answer.stdout + answer.stderr).toBe('done')
    expect(onIt()).toEqual([])
    for (const { name, vmState } of before) {
      expect(evacuations(name), name).toBe(1)
      const now = servers().find(server => server.name === name)
      expect(now?.vmState, name).toBe(vmState === 'stopped' ? 'stopped' : 'active')
    }
    expect(service()).toMatchObject({ forcedDown: true, enabled: false })
    // Each of three consoles watches the host for 25 s before it evacuates anything.
  }, 240_000)

  it('returns to service as it was before, once it has cleaned up', async () => {
    demo.kubernetes.setNodeReady(NODE, true)
    const left = await lockkeeper(data, ['leave', 'p', NODE, '--yes'])
    expect(left.code, left.stdout + left.stderr).toBe(0)
    expect(service()).toMatchObject({ forcedDown: false, enabled: true, alive: true, disabledReason: null })
    expect(demo.openstack.state.migrations.every(({ status }) => status === 'completed')).toBe(true)
    const node = demo.kubernetes.objects.get('Node', null, NODE)
    expect(Object.keys(node?.metadata.annotations ?? {}).filter(key => key.startsWith('lockkeeper.dev/'))).toEqual([])
  })

  /** Killed in the moment in which Nova forces the host down, before the console has the answer. */
  async function killedAsItForces(args: readonly string[]): Promise<CliAnswer> {
    const running = startLockkeeper(data, args)
    const look = setInterval(() => service().forcedDown && running.child.kill('SIGKILL'), 1)
    return running.finished.finally(() => clearInterval(look))
  }

  /** A kill between the force-down and the record of its last report leaves a question about the machine; null: not asked. */
  function machineCheckedAgain(run: string, { stdout, stderr }: CliAnswer): readonly string[] | null {
    const gate = / run answer \S+ (\S+) CHOICE/.exec(stdout + stderr)?.[1]
    return gate === undefined ? null : ['run', 'answer', run, gate, 'continue']
  }

  async function rescues() {
    const listed = await lockkeeper(data, ['runs', 'p', '-o', 'json'])
    return (JSON.parse(listed.stdout) as { id: string; state: string; kind: string }[]).filter(
      ({ kind }) => kind === 'rescue',
    )
  }

  async function interruptedRun(): Promise<string | null> {
    return (await rescues()).find(({ state }) => state === 'interrupted')?.id ?? null
  }

  async function endedWith(): Promise<string | undefined> {
    const [newest] = await rescues()
    return newest?.state
  }
})
