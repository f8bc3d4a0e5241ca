import type { Page } from '@playwright/test'
import { card, column, expect, expectAccessible, outsideAnyWindow, show, test, tile, WHOLE_RUN } from './journey.ts'

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
  await outsideAnyWindow(sheet)
  await expect(confirm).toBeEnabled({ timeout: 30_000 })
  return confirm
}

test('a node enters and leaves through requests that controllers of the cluster answer @core', async ({
  journey: { page },
}) => {
  const confirm = await planEnter(page, 'mosk-cmp-01')
  await expectAccessible(page)
  await confirm.click()
  await expect(card(page, 'In maintenance', 'mosk-cmp-01')).toBeVisible(LONG)
  await tile(page, 'mosk-cmp-01').focus()
  await page.keyboard.press('l')
  const back = page.getByRole('dialog').getByRole('button', { name: 'Bring mosk-cmp-01 back into service' })
  await expect(back).toBeEnabled()
  await back.click()
  await expect(column(page, 'In maintenance').getByRole('article')).toHaveCount(0, LONG)
  await expect(column(page, 'Bring back').getByRole('article')).toHaveCount(0, LONG)
  await show(page, 'demo-mosk', 'history')
  await expect(page.getByRole('main')).toContainText('mosk-cmp-01 is in service.')
})

test('a lock that waits for the owner of an instance lets go once the instance is marked', async ({
  journey: { page },
}) => {
  await (await planEnter(page, 'mosk-cmp-02')).click()
  await show(page, 'demo-mosk', 'history')
  await expect(page.getByRole('region', { name: 'What it waits for' })).toContainText('Notify owners', LONG)
  await expectAccessible(page)
  // A page of another cloud shows it too, and can end it.
  await show(page, 'demo-plain', 'topology')
  const bar = page.getByRole('region', { name: 'Current run' })
  await expect(bar).toContainText('Waits for the owner of licence-01')
  await expect(bar).toContainText('demo-mosk')
  await bar.getByRole('button', { name: 'Move it live' }).click()
  await show(page, 'demo-mosk', 'topology')
  await expect(card(page, 'In maintenance', 'mosk-cmp-02')).toBeVisible(LONG)
  await expect(bar).toHaveCount(0)
})

test('a small update goes through its five phases to the end, with a Job as the work on each node', async ({
  journey: { page },
}) => {
  // Its locks have to be there before the plan is made.
  await (await planEnter(page, 'mosk-cmp-01')).focus()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await show(page, 'demo-mosk', 'update')
  await page.getByRole('button', { name: 'Plan an update…' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('The work has ended when').selectOption('job')
  const manifest = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'kernel-$(NODE_NAME)' },
    spec: {
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x', command: ['sleep', '1'] }] } },
    },
  }
  await sheet.getByLabel('Manifest of the Job').fill(JSON.stringify(manifest))
  await sheet.getByText('Nodes and groups as text').click()
  await sheet.getByRole('textbox', { name: 'Control-plane nodes' }).fill('mosk-ctl-2')
  await sheet.getByLabel(/^Nodes of .*, one per line$/).fill('mosk-cmp-05')
  await sheet.getByRole('button', { name: 'Make the plan and check it' }).click()
  const confirm = sheet.getByRole('button', { name: 'Update demo-mosk', exact: true })
  await outsideAnyWindow(sheet)
  await expect(confirm).toBeEnabled(WHOLE_RUN)
  await expectAccessible(page)
  await confirm.click()
  await expect(page.getByRole('main')).toContainText('2 of 2 nodes done', LONG)
  await show(page, 'demo-mosk', 'history')
  await expect(page.getByRole('main')).toContainText('The update of demo-mosk is done', LONG)
})

test.describe('while somebody else updates it', () => {
  test.use({ updating: true })

  test('the same phases and stages are seen, from the objects alone', async ({ journey: { page } }) => {
    await show(page, 'demo-mosk', 'update')
    const main = page.getByRole('main')
    await expect(main.getByText('observed', { exact: true })).toBeVisible(WHOLE_RUN)
    await expect(main).toContainText('Control-plane nodes')
    await expect(main.getByRole('rowheader', { name: 'mosk-ctl-1' })).toBeVisible(LONG)
    await expect(main).toContainText(/[1-9]\d* of \d+ nodes done/, LONG)
    await expectAccessible(page)
  })
})
