import type { Page } from '@playwright/test'
import { expect, expectAccessible, openRun, out, show, test, tile, WHOLE_RUN } from './journey.ts'

test.use({ demo: false })
// The controllers of demo-mosk are a process of the clouds, and its instances move at the pace of a real cloud.
// The update takes one node after another, with controllers in a separate process.
test.describe.configure({ timeout: 240_000 })

/** A node that is requested, emptied, worked on and taken back. */
const LONG = { timeout: 120_000 }

/** Opens the plan of a node by keys, once the controllers of the cluster have made its lock. */
async function planEnter(page: Page, node: string) {
  await show(page, 'demo-mosk', 'topology')
  await tile(page, node).focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: `Node ${node}` })
  await expect(panel.getByRole('list', { name: 'Locks' })).toContainText(/openstack\s*active/, WHOLE_RUN)
  await tile(page, node).focus()
  await page.keyboard.press('e')
  const sheet = page.getByRole('dialog')
  const confirm = sheet.getByRole('button', { name: `Take ${node} out of service` })
  await expect(confirm).toBeEnabled({ timeout: 30_000 })
  return confirm
}

test('a node enters and leaves through requests that controllers of the cluster answer @core', async ({
  journey: { page },
}) => {
  const confirm = await planEnter(page, 'mosk-cmp-01')
  await expectAccessible(page)
  await confirm.click()
  await expect(out(page, 'In maintenance', 'mosk-cmp-01')).toBeVisible(LONG)
  await tile(page, 'mosk-cmp-01').focus()
  await page.keyboard.press('l')
  const back = page.getByRole('dialog').getByRole('button', { name: 'Bring mosk-cmp-01 back into service' })
  await expect(back).toBeEnabled()
  await back.click()
  await expect(out(page, 'In maintenance')).toHaveCount(0, LONG)
  await expect(out(page, 'Coming back')).toHaveCount(0, LONG)
  await show(page, 'demo-mosk', 'history')
  await expect(page.getByRole('main')).toContainText('mosk-cmp-01 is in service.')
})

test('a lock that waits for the owner of an instance lets go once the instance is marked', async ({
  journey: { page },
}) => {
  await (await planEnter(page, 'mosk-cmp-02')).click()
  await openRun(page, 'demo-mosk', 'mosk-cmp-02')
  const card = page.getByRole('alert', { name: 'licence-01' })
  await expect(card).toContainText('Its owner has to move, stop or delete it.', LONG)
  await expect(card).toContainText('Notify owners')
  await expectAccessible(page)
  // A page of another cloud shows it too, and can end it.
  await show(page, 'demo-plain', 'topology')
  const bar = page.getByRole('region', { name: 'Current run' })
  await expect(bar).toContainText('Waits for the owner of licence-01')
  await expect(bar).toContainText('demo-mosk')
  await bar.getByRole('button', { name: 'Move it live' }).click()
  await show(page, 'demo-mosk', 'topology')
  await expect(out(page, 'In maintenance', 'mosk-cmp-02')).toBeVisible(LONG)
  await expect(bar).toHaveCount(0)
})

test('a small update goes through its five phases to the end, with a Job as the work on each node', async ({
  journey: { page },
}) => {
  // Its locks have to be there before the plan is made.
  await (await planEnter(page, 'mosk-cmp-01')).focus()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await show(page, 'demo-mosk', 'update')
  const main = page.getByRole('main')
  await main.getByLabel('Done when').selectOption('job')
  const manifest = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'kernel-$(NODE_NAME)' },
    spec: {
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x', command: ['sleep', '1'] }] } },
    },
  }
  await main.getByLabel('Manifest of the Job').fill(JSON.stringify(manifest))
  await main.getByRole('button', { name: 'More choices' }).click()
  await page.getByText('Nodes and groups as text').click()
  await page.getByRole('textbox', { name: 'Control-plane nodes' }).fill('mosk-ctl-2')
  await page.getByLabel(/^Nodes of .*, one per line$/).fill('mosk-cmp-05')
  await page.keyboard.press('Escape')
  const confirm = main.getByRole('button', { name: 'Update 2 nodes of demo-mosk', exact: true })
  await expect(confirm).toBeEnabled(WHOLE_RUN)
  await expectAccessible(page)
  await confirm.click()
  await expect(main).toContainText('2 of 2 nodes done', LONG)
  await expect(main).toContainText('2 of 2 nodes are back in service', LONG)
})

test.describe('while somebody else updates it', () => {
  test.use({ updating: true })

  test('the same phases and stages are seen, from the objects alone', async ({ journey: { page } }) => {
    await show(page, 'demo-mosk', 'update')
    const main = page.getByRole('main')
    await expect(main.getByText('observed', { exact: true })).toBeVisible(WHOLE_RUN)
    await expect(main).toContainText('Control plane')
    await expect(main.getByRole('rowheader', { name: 'mosk-ctl-1' })).toBeVisible(LONG)
    await expect(main).toContainText(/[1-9]\d* of \d+ nodes done/, LONG)
    await expectAccessible(page)
  })
})
