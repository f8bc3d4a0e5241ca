import { expect, type Page } from '@playwright/test'
import { OWNED_ID, type PlayedState, playedRun } from '../../fixtures/renderer/played-runs.ts'
import { asked, openRuns } from './played-runs.ts'
import { expectAccessible, test } from './screen-test.ts'

async function open(page: Page, runs: Parameters<typeof openRuns>[1]): Promise<void> {
  await openRuns(page, runs, '#/c/east/topology')
  await expect(page.getByRole('option', { name: /^cmp-01,/ })).toBeVisible()
}

const bar = (page: Page) => page.getByRole('region', { name: 'Current run' })
const only = (state: PlayedState) => [playedRun(state)]

test('while nothing is at work there is no bar', async ({ page }) => {
  await open(page, only('done'))
  await expect(bar(page)).toHaveCount(0)
})

test('every screen shows a running run: what, how far, since when, and a link to it', async ({ page }) => {
  await open(page, only('moving'))
  await expect(bar(page)).toContainText('Taking cmp-02 out of service')
  await expect(bar(page)).toContainText('3 of 7 instances moved')
  await expect(bar(page)).toContainText(/7 min/)
  expect((await bar(page).boundingBox())?.height).toBe(40)
  await expectAccessible(page)
  await page.evaluate('void (location.hash = "#/windows")')
  await expect(bar(page)).toContainText('east')
  await bar(page).getByRole('link', { name: /^Open/ }).click()
  await expect(page).toHaveURL(/#\/c\/east\/history\/run-moving$/)
})

test('the wait for an owner is named, and ended right there', async ({ page }) => {
  await open(page, only('owner'))
  await expect(bar(page)).toContainText('Waits for the owner of ledger-01')
  await expect(bar(page)).toContainText(/for 3 min/)
  // The node says so too, to the eye at every zoom and to a screen reader.
  await expect(page.getByRole('option', { name: /^cmp-02,.* needs you$/ })).toHaveClass(/topo-waits/)
  await expect(page.getByRole('option', { name: /^cmp-01,/ })).not.toHaveClass(/topo-waits/)
  await expectAccessible(page)
  await expect(bar(page).getByRole('link', { name: 'Other choices' })).toHaveAttribute(
    'href',
    '#/c/east/instances?node=cmp-02',
  )
  await page.keyboard.press('g')
  await page.keyboard.press('l')
  await expect(bar(page).getByRole('button', { name: 'Move it live' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect
    .poll(() => asked(page, 'instance.mark'))
    .toMatchObject([{ cluster: 'east', marks: [{ id: OWNED_ID, actions: ['live_migrate'] }] }])
})

test('a question is answered from the bar; what gives a step up asks for its reason first', async ({ page }) => {
  await open(page, only('question'))
  await expect(bar(page)).toContainText('Waits for you on cmp-02')
  await bar(page).getByRole('button', { name: 'Skip the step…' }).click()
  await expect(bar(page).getByRole('button', { name: 'Skip the step' })).toBeDisabled()
  await expect(bar(page).getByLabel('Reason')).toBeFocused()
  await page.keyboard.press('Escape')
  expect(await asked(page, 'run.answer')).toEqual([])
  await bar(page).getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => asked(page, 'run.answer')).toMatchObject([{ runId: 'run-question', choice: 'retry' }])
  await expect(bar(page)).toContainText('Answer requested: Try again.')
})

test('of several runs the one that needs you is shown, the others are counted and listed', async ({ page }) => {
  await open(page, [
    playedRun('moving', { node: 'cmp-01' }),
    playedRun('owner', { cluster: 'west', node: 'cmp-02' }),
    playedRun('paused', { node: 'cmp-03' }),
  ])
  await expect(bar(page)).toContainText('Waits for the owner of ledger-01')
  await expect(bar(page)).toContainText('west')
  await bar(page)
    .getByRole('button', { name: /^\+2 more/ })
    .click()
  const others = page.getByRole('list', { name: 'Other runs' })
  await expect(others.getByRole('link')).toHaveText([/Paused: taking cmp-03/, /Taking cmp-01 out of service/])
  await expectAccessible(page)
})

test('a failed run is shown until somebody opened it', async ({ page }) => {
  await open(page, only('failed'))
  await expect(bar(page)).toContainText('Failed: taking cmp-02 out of service')
  await expectAccessible(page)
  await bar(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(bar(page)).toHaveCount(0)
})

test('the bell counts what needs somebody, names it and leads there; with nothing it says so', async ({ page }) => {
  await open(page, [playedRun('owner')])
  const bell = page.getByRole('button', { name: '1 thing needs you' })
  await bell.click()
  const needs = page.getByRole('region', { name: 'Needs you' })
  await expect(needs.getByRole('listitem')).toHaveCount(1)
  await expect(needs).toContainText('ledger-01 waits for its owner')
  await expectAccessible(page)
  await needs.getByRole('link').click()
  await expect(page).toHaveURL(/#\/c\/east\/history\/run-owner$/)
  await expect(needs).toHaveCount(0)
})

test('the bell of a console at which nothing waits claims nothing else', async ({ page }) => {
  await open(page, only('done'))
  await page.getByRole('button', { name: 'Nothing needs you' }).click()
  await expect(page.getByRole('region', { name: 'Needs you' })).toContainText('Nothing needs you.')
  // A finished run is a message, too.
  await expect(page.getByRole('region', { name: 'Recent messages' }).getByRole('link')).toHaveCount(1)
})

test('on a wide screen, where more is shown, nothing keeps anybody out either', async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 })
  await open(page, only('moving'))
  await expect(page.getByRole('button', { name: 'Find anything' })).toContainText('Ctrl+K')
  await expectAccessible(page)
})
