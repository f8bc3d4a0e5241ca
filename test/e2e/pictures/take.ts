import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type Locator, type Page } from '@playwright/test'
import type { DemoCloud } from '../../../main/wings/simulators/demo-cloud.ts'
import { startBigCloud } from '../../bench/big-cloud.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { carry, openRun, register, show, tile, zone } from '../journeys/journey.ts'
import { type Clouds, startClouds, startConsole } from '../journeys/processes.ts'
import config from '../playwright.config.ts'
import { albumIn } from './album.ts'
import { END_SCENES } from './end-scenes.ts'
import { INSTANCE_SCENES } from './instance-scenes.ts'
import { closePlan, MOVING_MS, planOf, type Scene, startPlan } from './scene.ts'
import { LONG_HOSTS, startTroubledCloud } from './troubled-cloud.ts'
import { WINDOW_SCENES } from './window-scenes.ts'

/**
 * Takes a picture of every screen in every state, of a console on the embedded clouds: `npm run screens`, then look at them one by one.
 * With a name it plays only the scenes that have it in theirs: `npm run screens -- plan`.
 */
const HOUSE = resolve(import.meta.dirname, '../../..')
const FOLDER = join(HOUSE, 'out/pictures')

const SCENES: readonly Scene[] = [
  {
    name: 'home',
    play: async (page, album) => {
      await page.evaluate("location.hash = '#/'")
      await page.getByText('All in service').first().waitFor()
      await album.take(page, 'home-quiet')
      for (const place of ['clouds', 'settings'] as const) {
        await page.evaluate(to => {
          location.hash = to
        }, `#/${place}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await album.take(page, `${place}-of-console`)
      }
      await planOf(page, 'demo-plain', 'cmp-03')
      await startPlan(page)
      await page.evaluate("location.hash = '#/'")
      await page.getByRole('heading', { name: 'Running now' }).waitFor()
      await album.take(page, 'home-running', 'moves')
      await page.getByRole('heading', { name: 'Out of service' }).waitFor({ timeout: MOVING_MS })
      await album.take(page, 'home-out')
      await page.getByRole('button', { name: /need you|Nothing needs you/ }).click()
      await album.take(page, 'bell')
      await page.keyboard.press('Escape')
    },
  },
  {
    name: 'map',
    play: async (page, album) => {
      await show(page, 'demo-plain', 'topology')
      await tile(page, 'cmp-01').waitFor()
      await album.take(page, 'map-idle')
      await tile(page, 'cmp-02').hover()
      await album.take(page, 'map-hover', 'moves')
      await tile(page, 'cmp-01').click()
      await tile(page, 'cmp-02').click({ modifiers: ['Control'] })
      await album.take(page, 'map-selected')
      await page.keyboard.press('Escape')
      await tile(page, 'cmp-07').click()
      await album.take(page, 'map-panel')
      await page.keyboard.press('Escape')
      await show(page, 'demo-edge', 'topology')
      await tile(page, 'edge-1').waitFor()
      await album.take(page, 'map-production')
      await show(page, 'demo-mosk', 'topology')
      await tile(page, 'mosk-cmp-01').waitFor()
      await album.take(page, 'map-mosk')
      await show(page, 'demo-sunbeam', 'topology')
      await tile(page, 'sun-1').waitFor()
      await album.take(page, 'map-roles')
    },
  },
  {
    name: 'drag',
    play: async (page, album) => {
      await show(page, 'demo-plain', 'topology')
      await carry(page, tile(page, 'cmp-01'), zone(page, 'Take out'))
      await album.take(page, 'drag-over-take-out', 'moves')
      await page.keyboard.press('Escape')
      await page.mouse.up()
      await carry(page, tile(page, 'cmp-05'), tile(page, 'cmp-03'))
      await album.take(page, 'drag-in-hand', 'moves')
      await page.keyboard.press('Escape')
      await page.mouse.up()
      for (const node of ['cmp-02', 'cmp-05', 'cmp-08']) await tile(page, node).click({ modifiers: ['Control'] })
      await carry(page, tile(page, 'cmp-08'), zone(page, 'Take out'))
      await album.take(page, 'drag-several', 'moves')
      await page.keyboard.press('Escape')
      await page.mouse.up()
      await page.keyboard.press('Escape')
      await tile(page, 'cmp-03').focus()
      await page.keyboard.press('m')
      await page.keyboard.press('ArrowRight')
      await album.take(page, 'drag-by-keys')
      await page.keyboard.press('Escape')
    },
  },
  {
    name: 'plan',
    play: async (page, album) => {
      for (const [node, name] of [
        ['cmp-02', 'plan-clean'],
        ['cmp-01', 'plan-exceptions'],
        ['cmp-04', 'plan-blocked'],
      ] as const) {
        await planOf(page, 'demo-plain', node)
        await album.take(page, name)
        await closePlan(page)
      }
      await planOf(page, 'demo-edge', 'edge-1')
      await album.take(page, 'plan-production')
      await closePlan(page)
    },
  },
  {
    name: 'screens',
    play: async (page, album) => {
      for (const screen of ['instances', 'history', 'settings', 'update'] as const) {
        await show(page, 'demo-plain', screen)
        await album.take(page, screen)
      }
      for (const [hash, name] of [
        ['#/history', 'history-all'],
        ['#/history/journal', 'journal'],
        ['#/clouds/add', 'add-cluster'],
      ] as const) {
        await page.evaluate(to => {
          location.hash = to
        }, hash)
        await page.waitForTimeout(800)
        await album.take(page, name)
      }
      await page.keyboard.press('Control+k')
      await album.take(page, 'palette')
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await album.take(page, 'shortcuts')
      await page.keyboard.press('Escape')
    },
  },
  {
    name: 'run',
    play: async (page, album) => {
      await planOf(page, 'demo-plain', 'cmp-03')
      await startPlan(page)
      await show(page, 'demo-plain', 'topology')
      await tile(page, 'cmp-03')
        .getByText(/^[234] left$/)
        .waitFor({ timeout: MOVING_MS })
      await album.take(page, 'map-moving', 'moves')
      await showRun(page, 'cmp-03')
      await album.take(page, 'run-moving', 'moves')
      await page.getByRole('heading', { name: /^cmp-03 is (not )?empty/i }).waitFor({ timeout: MOVING_MS })
      await album.take(page, 'run-done')
      await show(page, 'demo-plain', 'topology')
      await album.take(page, 'map-maintenance')
      await planOf(page, 'demo-plain', 'cmp-03', 'l')
      await album.take(page, 'plan-leave')
      await closePlan(page)
    },
  },
  {
    name: 'waits',
    play: async (page, album) => {
      await show(page, 'demo-mosk', 'topology')
      await tile(page, 'mosk-cmp-02').waitFor()
      await planOf(page, 'demo-mosk', 'mosk-cmp-02')
      await startPlan(page)
      await page.getByText('Waits for the owner of').first().waitFor({ timeout: MOVING_MS })
      await showRun(page, 'mosk-cmp-02', 'demo-mosk')
      await album.take(page, 'run-waits')
      await show(page, 'demo-mosk', 'topology')
      await album.take(page, 'map-waits')
      await page.evaluate("location.hash = '#/'")
      await album.take(page, 'fleet-waits')
    },
  },
]

/** Several nodes at once, and what a run leaves behind to read. */
const MANY_SCENES: readonly Scene[] = [
  {
    name: 'several',
    play: async (page, album) => {
      await show(page, 'demo-plain', 'topology')
      await tile(page, 'cmp-05').click()
      for (const node of ['cmp-02', 'cmp-08']) await tile(page, node).click({ modifiers: ['Control'] })
      await page.keyboard.press('e')
      await page.getByRole('button', { name: /^All out now/ }).waitFor()
      await album.take(page, 'several-question')
      await page.getByRole('button', { name: /^All out now/ }).click()
      await page.getByRole('heading', { name: /^(Safe to start|\d things? block)/ }).waitFor({ timeout: MOVING_MS })
      await album.take(page, 'several-out')
      await page.getByText('One by one, and back').click()
      await page.getByRole('heading', { name: /^(Safe to start|\d things? block)/ }).waitFor({ timeout: MOVING_MS })
      await page.waitForTimeout(1500)
      await album.take(page, 'several-back')
      await startPlan(page)
      await show(page, 'demo-plain', 'topology')
      const left = page.getByText(/^[1-5] left$/).first()
      await left.waitFor({ timeout: MOVING_MS })
      await album.take(page, 'map-several-moving', 'moves')
      await show(page, 'demo-plain', 'update')
      await timeline(page).waitFor()
      await album.take(page, 'timeline-moving', 'moves')
    },
  },
  {
    name: 'report',
    play: async (page, album) => {
      await page.evaluate("location.hash = '#/history'")
      await page.getByRole('main').getByRole('link').first().waitFor()
      await show(page, 'demo-plain', 'history')
      await page.getByRole('region', { name: 'Runs' }).getByRole('link').first().click()
      await page
        .getByRole('button', { name: /^(Open report|Report)$/ })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
      await page.waitForTimeout(1500)
      await album.take(page, 'report-preview')
    },
  },
]

/** Of clouds that somebody else updates. */
const UPDATE_SCENES: readonly Scene[] = [
  {
    name: 'update',
    play: async (page, album) => {
      // Somebody else's: demo-mosk is being updated from the beginning.
      await show(page, 'demo-mosk', 'update')
      await timeline(page).waitFor({ timeout: MOVING_MS })
      await album.take(page, 'update-observed', 'moves')
      await show(page, 'demo-mosk', 'topology')
      await page.waitForTimeout(1000)
      await album.take(page, 'map-update', 'moves')
    },
  },
]

/** Long names, a migration that fails, a run that was aborted, and a cloud that falls silent. */
function troubled(cloud: DemoCloud): Scene {
  const { name } = cloud.cluster
  const [first, second] = LONG_HOSTS
  return {
    name: 'troubled',
    play: async (page, album) => {
      await show(page, name, 'topology')
      await tile(page, second).hover()
      await album.take(page, 'long-map')
      await planOf(page, name, first)
      await album.take(page, 'long-plan')
      await startPlan(page)
      await page.getByRole('button', { name: 'Try again' }).first().waitFor({ timeout: MOVING_MS })
      await album.take(page, 'failed-map')
      await showRun(page, first, name)
      await album.take(page, 'failed-run-asks')
      await page.evaluate("location.hash = '#/'")
      await album.take(page, 'failed-fleet')
      await showRun(page, first, name)
      await page.getByRole('button', { name: 'Stop…' }).first().click()
      await page.getByLabel('Reason').fill('The instance does not move')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Stop: / })
        .click()
      await page.getByText('Stopped.').first().waitFor({ timeout: MOVING_MS })
      await album.take(page, 'failed-run-aborted')
      await show(page, name, 'topology')
      await album.take(page, 'failed-map-partial')
      await show(page, name, 'instances')
      await album.take(page, 'long-instances')
      await cloud.stop()
      await show(page, name, 'topology')
      await page.waitForTimeout(20_000)
      await album.take(page, 'stale-map')
      await page.evaluate("location.hash = '#/'")
      await album.take(page, 'stale-fleet')
    },
  }
}

/** The lanes of an update, or of a rolling maintenance. */
function timeline(page: Page): Locator {
  return page.getByLabel(/: timeline$/)
}

async function showRun(page: Page, node: string, cluster = 'demo-plain'): Promise<void> {
  await openRun(page, cluster, node)
  await page.getByRole('main').getByText(node).first().waitFor()
}

const wanted = process.argv[2] ?? ''
const album = albumIn(FOLDER)
const browser = await chromium.launch(config.use?.launchOptions ?? {})
try {
  await withConsole(false, async (page, clouds, folder) => {
    if ('empty'.includes(wanted)) {
      await page.getByRole('heading', { name: 'No cloud is registered yet' }).waitFor()
      await album.take(page, 'empty')
    }
    await register(page, clouds)
    await play(page, [...SCENES, ...INSTANCE_SCENES, ...END_SCENES, ...WINDOW_SCENES, ...MANY_SCENES])
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
  if ('troubled'.includes(wanted)) {
    await withConsole(false, async (page, _, folder) => {
      const cloud = await startTroubledCloud(join(folder, 'troubled'))
      try {
        await register(page, { clusters: [cloud.cluster], stop: async () => {} })
        await play(page, [troubled(cloud)], '')
      } finally {
        await cloud.stop()
      }
    })
  }
  if (UPDATE_SCENES.some(({ name }) => name.includes(wanted))) {
    await withConsole(true, async (page, clouds) => {
      await register(page, clouds)
      await play(page, UPDATE_SCENES)
    })
  }
} finally {
  await browser.close()
}
if (wanted === '') copyFileSync(join(FOLDER, 'map-moving-1280x800-dark.png'), join(HOUSE, 'docs/pictures/console.png'))
console.log(`${album.count} pictures are in ${FOLDER}.`)

/** Plays a scene on its own clouds and console, which end with it. */
async function withConsole(
  updating: boolean,
  body: (page: Page, clouds: Clouds, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-pictures-'))
  const clouds = await startClouds(1, updating)
  const served = await startConsole(join(folder, 'data'), await freePort())
  try {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
    await page.goto(served.url)
    await body(page, clouds, folder)
  } finally {
    await served.stop()
    await clouds.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One scene that cannot be played takes no other one's pictures away; the script fails at its end. */
async function play(page: Page, scenes: readonly Scene[], named = wanted): Promise<void> {
  for (const scene of scenes.filter(({ name }) => name.includes(named))) {
    await scene.play(page, album).catch(async (thrown: unknown) => {
      process.exitCode = 1
      console.error(`${scene.name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
      // What the screen showed instead.
      await page.screenshot({ path: join(FOLDER, `failed-${scene.name}.png`) })
    })
    await page.keyboard.press('Escape')
    await page.reload()
  }
}
