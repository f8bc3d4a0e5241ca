import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { must } from '../../../shared/domain/must.ts'
import { lockkeeper, startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'

/** Why this machine lends no small disk; empty: it does. */
const missing = (() => {
  if (process.platform !== 'linux') return `a small disk is mounted on Linux only, not on ${process.platform}`
  const tried = mkdtempSync(join(tmpdir(), 'lockkeeper-small-'))
  try {
    mount(tried)
    execFileSync('umount', [tried])
    return ''
  } catch {
    return 'this user may not mount a small disk (tmpfs)'
  } finally {
    rmSync(tried, { recursive: true, force: true })
  }
})()

function mount(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' })
}

describe.skipIf(missing !== '')(`a disk that fills in the middle of a run ${missing}`, () => {
  let directory: string
  let disk: string
  let data: string
  let demo: DemoClouds

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'lockkeeper-full-'))
    disk = join(directory, 'disk')
    mkdirSync(disk)
    mount(disk)
    data = join(disk, 'data')
    demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 4 })
    const cloud = must(demo.clusters[0], 'the demo has a cluster')
    const files = ['--kubeconfig', cloud.kubeconfigPath, '--clouds-yaml', cloud.cloudsYamlPath, '--cloud', cloud.cloud]
    expect((await lockkeeper(data, ['cluster', 'add', 'demo', ...files])).code).toBe(0)
  })

  afterAll(async () => {
    await demo.stop()
    execFileSync('umount', [disk])
    rmSync(directory, { recursive: true, force: true })
  })

  const ballast = () => join(disk, 'ballast')

  function fill(): void {
    try {
      writeFileSync(ballast(), Buffer.alloc(4 * 1024 ** 2))
    } catch {
      // As far as it goes: that was the aim.
    }
  }

  /** How often each instance was asked to migrate, and each pod to leave. */
  function asked(): readonly number[] {
    const times = new Map<string, number>()
    const count = (path: string) => times.set(path, (times.get(path) ?? 0) + 1)
    for (const { method, path, action, status } of demo.openstack.log)
      if (method === 'POST' && action === 'os-migrateLive' && status < 300) count(path)
    for (const { method, path, status, dryRun } of demo.kubernetes.log.all())
      if (method === 'POST' && path.includes('/eviction') && status < 300 && !dryRun) count(path)
    return [...times.values()]
  }

  test('stops the run with a clear message, loses nothing, and the run is resumed with nothing done twice', async () => {
    const entering = startLockkeeper(data, ['enter', 'demo', 'cmp-01', '--yes'])
    let filled = false
    entering.child.stdout?.on('data', () => {
      if (filled || !entering.output().includes('live migration requested')) return
      filled = true
      fill()
    })
    const entered = await entering.finished
    expect(entered.stdout + entered.stderr).toMatch(/is full\. Free some space.*run resume/s)
    expect(entered.code).toBe(4)

    const runs = await lockkeeper(data, ['runs', '-o', 'json'])
    const [run] = JSON.parse(runs.stdout) as { id: string; state: string }[]
    expect(run).toMatchObject({ state: 'interrupted' })
    const id = must(run, 'it is listed').id
    const words = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await lockkeeper(data, args)
      return { code, said: stdout + stderr }
    }
    const report = join(directory, 'report.html')
    expect(await words('report', id, '-o', report)).toMatchObject({ code: 0 })
    expect(await words('report', id, '-o', join(disk, 'report.html'))).toEqual({
      code: 1,
      said: expect.stringContaining('the disk is full'),
    })
    expect(await words('journal', 'status')).toMatchObject({ code: 1, said: expect.stringContaining('disk is full') })
    expect(await words('run', 'resume', id)).toEqual({
      code: 1,
      said: expect.stringMatching(/is full\. Free some space/),
    })
    expect(await words('journal', 'check')).toMatchObject({
      code: 0,
      said: expect.stringContaining('The chain is valid'),
    })

    const before = asked()
    expect(before.length, 'it was stopped in the middle').toBeGreaterThan(0)
    rmSync(ballast())
    expect(await words('run', 'resume', id)).toMatchObject({ code: 0, said: expect.stringContaining('verified') })
    expect(asked().length).toBeGreaterThan(before.length)
    expect(asked().filter(times => times !== 1)).toEqual([])
    expect(await words('journal', 'check')).toMatchObject({
      code: 0,
      said: expect.stringContaining('The chain is valid'),
    })
    expect(await words('report', 'verify', report)).toMatchObject({ code: 0 })
  })
})
