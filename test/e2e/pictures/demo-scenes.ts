import type { Locator, Page } from '@playwright/test'
import { show, tile } from '../journeys/journey.ts'
import type { Album } from './album.ts'
import { closePlan, goTo, MOVING_MS, planOf, type Scene, startPlan, timeline } from './scene.ts'

/** What only the demo shows: its first minutes with a history, its troubles, a runner, and updates that it plays. */
export const DEMO_SCENES: readonly Scene[] = [
  {
    name: 'first',
    demo: [],
    play: async (page, album) => {
      await page.getByRole('heading', { name: 'Five steps, two minutes' }).waitFor()
      await page.getByRole('heading', { name: /^Done / }).waitFor()
      await album.take(page, 'home-first')
      await show(page, 'demo-plain', 'topology')
      await tile(page, 'cmp-01').waitFor()
      await album.take(page, 'map-first')
      await page.getByRole('button', { name: /^Make it fail/ }).click()
      await page.getByRole('region', { name: 'Make it fail' }).waitFor()
      await album.take(page, 'make-it-fail')
      await page.keyboard.press('Escape')
      for (const part of ['', '/month', '/durations', '/blockers', '/reports']) {
        await goTo(page, `#/history${part}`)
        await page.waitForTimeout(800)
        await album.take(page, `history-played${part.replace('/', '-')}`)
      }
      await show(page, 'demo-mosk', 'update')
      await untilSafe(page.getByRole('main'))
      await album.take(page, 'update-before')
    },
  },
  {
    name: 'report',
    demo: [],
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
      await page.getByRole('button', { name: 'Save HTML' }).and(page.locator(':enabled')).waitFor()
      await album.take(page, 'report-preview')
    },
  },
  {
    name: 'stuck',
    demo: ['--trouble', 'stuck'],
    play: async (page, album) => {
      await meet(page, album, 'stuck', 'A move never ends')
    },
  },
  {
    name: 'fails',
    demo: ['--trouble', 'fails'],
    play: async (page, album) => {
      await meet(page, album, 'fails', 'A move fails each time')
      await page
        .getByRole('button', { name: /^Leave it here/ })
        .first()
        .click()
      await page.getByRole('region', { name: 'How it ended' }).waitFor({ timeout: MOVING_MS })
      await album.take(page, 'end-not-empty')
    },
  },
  {
    name: 'waits',
    demo: ['--trouble', 'silent-owner'],
    play: async (page, album) => {
      await meet(page, album, 'owner', 'An owner does not answer')
    },
  },
  {
    name: 'silent',
    demo: ['--trouble', 'silent-node'],
    play: async (page, album) => {
      await planOfTrouble(page, 'A node goes silent')
      await page
        .getByRole('heading', { name: /^((Safe to|Can) start|\d things? block)/ })
        .waitFor({ timeout: MOVING_MS })
      await album.take(page, 'plan-rescue')
      await closePlan(page)
      await album.take(page, 'map-silent')
    },
  },
  {
    name: 'runner',
    demo: ['--runner'],
    play: async (page, album) => {
      // The first plan of its cloud finds the runner.
      await planOf(page, 'demo-plain', 'cmp-03')
      await album.take(page, 'plan-with-runner')
      await closePlan(page)
      await page.getByRole('link', { name: 'Campaigns' }).waitFor({ timeout: MOVING_MS })
      for (const [hash, name] of [
        ['#/campaigns', 'campaigns'],
        ['#/campaigns/new', 'campaign-new'],
        ['#/settings', 'settings-with-runner'],
      ] as const) {
        await goTo(page, hash)
        await page.waitForTimeout(1500)
        await album.take(page, name)
      }
    },
  },
  {
    name: 'observed',
    demo: ['--update'],
    play: async (page, album) => {
      await show(page, 'demo-mosk', 'update')
      await timeline(page).waitFor({ timeout: MOVING_MS })
      await album.take(page, 'update-observed', 'moves')
      await show(page, 'demo-mosk', 'topology')
      await page.waitForTimeout(1000)
      await album.take(page, 'map-update', 'moves')
    },
  },
  {
    name: 'update',
    demo: [],
    play: async (page, album) => {
      await show(page, 'demo-mosk', 'update')
      await untilSafe(page.getByRole('main'))
      await page.getByRole('button', { name: /^Update \d+ nodes/ }).click()
      await timeline(page).waitFor({ timeout: MOVING_MS })
      await page.waitForTimeout(20_000)
      await album.take(page, 'update-running')
      await show(page, 'demo-mosk', 'topology')
      await album.take(page, 'map-updating', 'moves')
    },
  },
]

/** Opens the plan that meets a trouble, from the menu. */
async function planOfTrouble(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: /^Make it fail/ }).click()
  const row = page.getByRole('region', { name: 'Make it fail' }).getByRole('listitem').filter({ hasText: title })
  await row.getByRole('button').click()
  await page.getByRole('dialog').waitFor()
}

/** Starts the run that meets a trouble, and takes it, its map and Home once it waits for somebody. */
async function meet(page: Page, album: Album, name: string, title: string): Promise<void> {
  await planOfTrouble(page, title)
  await untilSafe(page.getByRole('dialog'))
  await album.take(page, `plan-${name}`)
  await startPlan(page)
  const needs = page.getByRole('list', { name: 'Needs you' })
  await goTo(page, '#/home')
  await needs.waitFor({ timeout: MOVING_MS })
  await album.take(page, `home-${name}`)
  await needs.getByRole('link', { name: /^Open/ }).first().click()
  await page.getByRole('alert').first().waitFor()
  const run = new URL(page.url()).hash
  await show(page, name === 'owner' ? 'demo-mosk' : 'demo-plain', 'topology')
  await page.waitForTimeout(1000)
  await album.take(page, `map-${name}`)
  await goTo(page, run)
  await page.getByRole('alert').first().waitFor()
  await album.take(page, `run-${name}`)
}

/** Checks a plan again until it may start: the controllers of demo-mosk need a moment for their first locks. */
async function untilSafe(plan: Locator): Promise<void> {
  const safe = plan.getByText(/^(Safe to|Can) start/)
  for (const end = Date.now() + MOVING_MS; Date.now() < end; ) {
    const isSafe = await safe.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    )
    if (isSafe) return
    await plan.getByRole('button', { name: 'Check again' }).first().click()
  }
  await safe.waitFor()
}
