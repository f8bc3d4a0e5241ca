import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { askedSince, doneTwice, markOf, plainOf } from '../../../fixtures/runner/asked-of-clouds.ts'
import {
  askRunner,
  CLOUD,
  type RunnerClouds,
  startRunnerClouds,
  startRunnerProcess,
} from '../../../fixtures/runner/runner-clouds.ts'

/** Why this machine lends no small volume; empty: it does. */
const missing = (() => {
  if (process.platform !== 'linux') return `a small disk is mounted on Linux only, not on ${process.platform}`
  return process.getuid?.() === 0 ? '' : 'this user may not mount a small disk (tmpfs)'
})()

describe.skipIf(missing !== '')(`a runner whose volume fills ${missing}`, () => {
  let clouds: RunnerClouds
  let volume: string
  let runner: Awaited<ReturnType<typeof startRunnerProcess>>

  beforeAll(async () => {
    clouds = await startRunnerClouds(3)
    volume = join(clouds.directory, 'volume')
    mkdirSync(volume)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', volume], { stdio: 'ignore' })
    runner = await startRunnerProcess(clouds, join(volume, 'data'), {
      args: ['--secrets-dir', join(clouds.directory, 'secrets')],
    })
  })

  afterAll(async () => {
    runner.child.kill('SIGKILL')
    await runner.finished
    execFileSync('umount', [volume])
    await clouds.close()
  })

  const ballast = () => join(volume, 'ballast')
  const fill = () => {
    try {
      writeFileSync(ballast(), Buffer.alloc(16 * 1024 ** 2))
    } catch {
      // As far as it goes: that was the aim.
    }
  }
  const readyz = async () => (await askRunner(runner.port, '/readyz'))?.status

  it('is not ready and says why, leaves its run, starts nothing, and continues when there is room again, with nothing done twice', async () => {
    const mark = markOf(plainOf(clouds))
    const plan = await clouds.plan(CLOUD, 'cmp-01', 'enter', { concurrency: 1 })
    await clouds.submit(plan, {}, 'under-way')
    await clouds.until('under-way', ['Running'])
    await vi.waitFor(() => expect(askedSince(mark, plainOf(clouds)).services, 'it is in the middle').toBe(1), {
      timeout: 20_000,
    })
    fill()
    expect(await clouds.until('under-way', ['Interrupted', 'Done'])).toMatchObject({
      phase: 'Interrupted',
      message: expect.stringMatching(/full/),
    })
    await vi.waitFor(async () => expect(await readyz()).toBe(503), { timeout: 15_000 })
    expect((await askRunner(runner.port, '/readyz'))?.text).toMatch(/volume of .* is full/)
    expect(await askRunner(runner.port, '/livez'), 'it lives').toMatchObject({ status: 200 })

    const next = await clouds.plan(CLOUD, 'cmp-05', 'enter', { concurrency: 4 })
    await clouds.submit(next, {}, 'not-begun')
    expect(await clouds.until('not-begun', ['Pending'])).toMatchObject({
      runId: null,
      message: expect.stringContaining('is full'),
    })
    expect(askedSince(mark, plainOf(clouds)).services, 'nothing started').toBe(1)

    rmSync(ballast())
    for (const name of ['under-way', 'not-begun']) {
      expect(await clouds.until(name, ['Done', 'Failed', 'Refused']), name).toMatchObject({ phase: 'Done' })
    }
    expect(await readyz()).toBe(200)
    const asked = askedSince(mark, plainOf(clouds))
    expect(doneTwice(asked)).toEqual([])
    expect(asked).toMatchObject({ services: 2, cordons: 2 })
  })
})
