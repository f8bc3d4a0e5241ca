import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { startBigCloud } from '../../bench/big-cloud.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { register, show } from '../journeys/journey.ts'
import { type Clouds, type Console, startClouds, startConsole, startDemo } from '../journeys/processes.ts'
import config from '../playwright.config.ts'
import { albumIn } from './album.ts'
import { DEMO_SCENES } from './demo-scenes.ts'
import { INSTANCE_SCENES } from './instance-scenes.ts'
import { MAP_SCENES } from './map-scenes.ts'
import { PLACE_SCENES } from './place-scenes.ts'
import { PLAN_SCENES } from './plan-scenes.ts'
import { RUN_SCENES } from './run-scenes.ts'
import type { Scene } from './scene.ts'
import { troubled } from './trouble-scenes.ts'
import { startTroubledCloud } from './troubled-cloud.ts'
import { WINDOW_SCENES } from './window-scenes.ts'

/**
 * Takes a picture of every screen in every state, of a console on the embedded clouds: `npm run screens`, then look at them one by one. What axe
 * finds on them fails it. With a name it plays only the scenes that have it in theirs: `npm run screens -- plan`.
 */
const HOUSE = resolve(import.meta.dirname, '../../..')
const FOLDER = join(HOUSE, 'out/pictures')
/** Runs and windows of the demo, once `npm run demo` has played them. */
const HISTORY = join(HOUSE, 'out/demo/history.db')

const SCENES: readonly Scene[] = [
  ...PLACE_SCENES,
  ...MAP_SCENES,
  ...PLAN_SCENES,
  ...RUN_SCENES,
  ...INSTANCE_SCENES,
  ...WINDOW_SCENES,
]

const wanted = process.argv[2] ?? ''
const album = albumIn(FOLDER)
const browser = await chromium.launch(config.use?.launchOptions ?? {})
try {
  if ([...SCENES.map(({ name }) => name), 'empty', 'large'].some(name => name.includes(wanted))) {
    await withClouds(async (page, clouds, folder) => {
      if ('empty'.includes(wanted)) {
        await page.getByRole('heading', { name: 'No cloud is registered yet' }).waitFor()
        await album.take(page, 'empty')
      }
      await register(page, clouds)
      for (const scene of SCENES) await play(page, scene)
      if (!'large'.includes(wanted)) return
      const big = await startBigCloud({ nodes: 500, instances: 10_000 }, join(folder, 'big'))
      await register(page, { clusters: [big.cluster], stop: async () => {} })
      await show(page, big.cluster.name, 'topology')
      await page.waitForTimeout(4000)
      await album.take(page, 'map-500-nodes')
      await show(page, big.cluster.name, 'instances')
      await page.getByText('10,000 instances').waitFor()
      await album.take(page, 'instances-10000')
      await big.stop()
    })
  }
  if ('troubled'.includes(wanted)) {
    await withConsole(startConsole, async (page, folder) => {
      const cloud = await startTroubledCloud(join(folder, 'troubled'))
      try {
        await register(page, { clusters: [cloud.cluster], stop: async () => {} })
        await play(page, troubled(cloud))
      } finally {
        await cloud.stop()
      }
    })
  }
  for (const scene of DEMO_SCENES.filter(({ name }) => name.includes(wanted))) {
    const start = (data: string, port: number) =>
      startDemo(data, port, scene.demo ?? [], existsSync(HISTORY) ? HISTORY : '')
    await withConsole(start, page => play(page, scene))
  }
} finally {
  await browser.close()
}
if (wanted === '') copyFileSync(join(FOLDER, 'map-moving-1280x800-dark.png'), join(HOUSE, 'docs/pictures/console.png'))
for (const fault of album.faults) console.error(`axe: ${fault}`)
if (album.faults.length > 0) process.exitCode = 1
console.log(`${album.count} pictures are in ${FOLDER}.`)

/** Shows a console with its own data directory, which ends with it. */
async function withConsole(
  start: (data: string, port: number) => Promise<Console>,
  body: (page: Page, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-pictures-'))
  const served = await start(join(folder, 'data'), await freePort())
  try {
    // Axe opens a page beside it, which needs a context.
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
    await page.goto(served.url)
    await body(page, folder)
  } finally {
    await served.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same with the embedded clouds in a separate process. */
async function withClouds(body: (page: Page, clouds: Clouds, folder: string) => Promise<void>): Promise<void> {
  const clouds = await startClouds(1)
  try {
    await withConsole(startConsole, (page, folder) => body(page, clouds, folder))
  } finally {
    await clouds.stop()
  }
}

/** One scene that cannot be played takes no other one's pictures away; the script fails at its end. */
async function play(page: Page, scene: Scene): Promise<void> {
  if (!scene.name.includes(wanted)) return
  await scene.play(page, album).catch(async (thrown: unknown) => {
    process.exitCode = 1
    console.error(`${scene.name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    // What the screen showed instead.
    await page.screenshot({ path: join(FOLDER, `failed-${scene.name}.png`) })
  })
  await page.keyboard.press('Escape')
  await page.reload()
}
