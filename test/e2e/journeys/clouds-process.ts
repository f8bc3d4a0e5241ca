import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'

// All embedded clouds, as `lockkeeper demo` has them, but at a pace of the test's own: words are how many times as fast as real ones, and
// whether somebody else updates demo-mosk. Prints where they are; ends with SIGTERM.
const [speed = '1', updating = 'false'] = process.argv.slice(2)
const directory = await mkdtemp(join(tmpdir(), 'lockkeeper-journey-clouds-'))
const clouds = await startDemoClouds({
  clock: systemClock,
  directory,
  speed: Number(speed),
  edge: true,
  mosk: { controllers: true, lcm: updating === 'true' ? 'commenced' : 'waits' },
  sunbeam: {},
})
process.once('SIGTERM', async () => {
  await clouds.stop()
  await rm(directory, { recursive: true, force: true })
  process.exit(0)
})
process.stdout.write(JSON.stringify({ clusters: clouds.clusters }))
