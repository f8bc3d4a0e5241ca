import { show, tile } from '../journeys/journey.ts'
import { closePlan, planOf, type Scene } from './scene.ts'

/** The instances of a cloud and of a node, their modes, and the rows of a plan that no mode decides. */
export const INSTANCE_SCENES: readonly Scene[] = [
  {
    name: 'instances',
    play: async (page, album) => {
      const search = page.getByPlaceholder('Name, id, node, project')
      await show(page, 'demo-plain', 'instances')
      await page.getByRole('button', { name: /Blocked/ }).click()
      await page.getByRole('button', { name: 'broken-01', exact: true }).click()
      await album.take(page, 'instances-details')
      await page.getByRole('button', { name: 'Close the details' }).click()
      await page.getByRole('checkbox', { name: 'Select all shown instances' }).click()
      await page.getByLabel(/^Set mode of \d+ instances$/).selectOption('Wait for owner')
      await page.getByText(/instances not set. Their details say why/).waitFor()
      await album.take(page, 'instances-refused')
      await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
      await page.getByRole('button', { name: 'Clear the filter' }).click()
      await page.getByRole('button', { name: 'Filter' }).click()
      await album.take(page, 'instances-filter')
      await page.keyboard.press('Escape')
      await search.fill('no such instance')
      await album.take(page, 'instances-none-match')
      await search.fill('')
      await show(page, 'demo-plain', 'topology')
      await tile(page, 'cmp-04').click()
      await page.getByRole('tab', { name: 'Instances' }).click()
      await album.take(page, 'instances-of-node')
      await page.keyboard.press('Escape')
      await planOf(page, 'demo-plain', 'cmp-07')
      await page.getByLabel('Mode of broken-03').selectOption('Leave it here…')
      await page.getByLabel('Reason to start anyway').fill('Its owner agreed')
      await album.take(page, 'plan-leaving')
      await page.getByRole('button', { name: 'Leave it here', exact: true }).click()
      await page.getByText('Accepted by you.').waitFor()
      await album.take(page, 'plan-left-here')
      await closePlan(page)
    },
  },
]
