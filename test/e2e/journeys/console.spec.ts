import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Locator } from '@playwright/test'
import { drag, expect, expectAccessible, out, show, test, tile, WHOLE_RUN, zone } from './journey.ts'

test.use({ demo: false })

/** Drops files on an element, as a hand does that drags them out of a file manager. */
async function dropFiles(element: Locator, files: readonly { readonly name: string; readonly text: string }[]) {
  await element.evaluate((target, given) => {
    const dataTransfer = new DataTransfer()
    for (const { name, text } of given) dataTransfer.items.add(new File([text], name))
    for (const type of ['dragover', 'drop']) {
      target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
    }
  }, files)
}

test.describe('with no cluster yet', () => {
  test.use({ registered: false })

  test('a cluster is added by its files, tested in place, and shown @every-way', async ({
    journey: { page, clouds },
  }) => {
    const plain = clouds.clusters[0]
    if (plain === undefined) throw new Error('the demo has a cluster')
    await page.getByRole('main').getByRole('button', { name: 'Add a cloud' }).first().click()
    await page.getByLabel(/^Kubeconfig/).fill('/nowhere/kubeconfig')
    await page.getByRole('button', { name: 'Read' }).first().click()
    await expect(page.getByText('/nowhere/kubeconfig')).toBeVisible()
    await page.getByLabel(/^Kubeconfig/).fill(plain.kubeconfigPath)
    await page.getByRole('button', { name: 'Read' }).first().click()
    await expect(page.getByRole('radio', { name: /^demo-plain/ })).toBeChecked()
    await page.getByLabel('clouds.yaml', { exact: true }).fill(plain.cloudsYamlPath)
    await page.getByRole('button', { name: 'Read' }).nth(1).click()
    const offered = page.getByRole('list', { name: 'Clouds' }).getByRole('radio', { name: /^demo-plain 127/ })
    await offered.check({ force: true })
    await page.getByLabel('Name', { exact: true }).fill('east')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(page.getByRole('region', { name: 'Result of the test' })).toContainText(
      'Update Lockkeeper, or choose another folder with --data-dir.',
    )
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add east' }).click()
    await expect(tile(page, 'cmp-08')).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Places' })).toContainText('east')
  })

  test('dropped files are offered as one cluster, tested already, and added by two clicks', async ({
    console: { way },
    journey: { page, clouds },
  }) => {
    test.skip(way !== 'serve', 'Only Electron itself knows where a file of its page lies; the stand-in is a browser.')
    const plain = clouds.clusters[0]
    if (plain === undefined) throw new Error('the demo has a cluster')
    const files = await Promise.all(
      [plain.kubeconfigPath, plain.cloudsYamlPath].map(async path => ({
        name: basename(path),
        text: await readFile(path, 'utf8'),
      })),
    )
    await dropFiles(page.getByRole('main').locator('.home'), files)
    const found = page.getByRole('region', { name: 'Found on this computer' })
    await expect(found.getByText(/^[✓✕] /)).toBeVisible({ timeout: 30_000 })
    await expectAccessible(page)
    await found.getByRole('button', { name: /^Use demo-plain with cloud demo-plain/ }).click()
    await page.getByRole('button', { name: 'Add demo-plain' }).click()
    await expect(tile(page, 'cmp-08')).toBeVisible()
  })
})

test('a node is dragged into maintenance and back, each time after its plan was read @every-way @core', async ({
  journey: { page },
}) => {
  await show(page, 'demo-plain', 'topology')
  await expect(tile(page, 'cmp-01')).toBeVisible()
  await drag(page, tile(page, 'cmp-01'), zone(page, 'Take out'))
  const sheet = page.getByRole('dialog')
  await expect(sheet).toContainText('Safe to start')
  await expect(sheet).toContainText('cache-01')
  await expect(sheet.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page)
  await expect(sheet.getByLabel('Why now?')).toHaveCount(0)
  await expect(sheet.getByRole('article', { name: 'cmp-01' })).toContainText('cache-01')
  await sheet.getByRole('button', { name: 'Take cmp-01 out of service' }).click()
  await expect(out(page, 'Going out', 'cmp-01')).toBeVisible()
  await expect(out(page, 'In maintenance', 'cmp-01')).toBeVisible(WHOLE_RUN)

  await drag(
    page,
    out(page, 'In maintenance', 'cmp-01').getByRole('button', { name: 'cmp-01', exact: true }),
    zone(page, 'Bring back'),
  )
  await sheet.getByRole('button', { name: 'Bring cmp-01 back into service' }).click()
  await expect(tile(page, 'cmp-01')).toContainText('cmp-01')
  await expect(out(page, 'In maintenance')).toHaveCount(0, WHOLE_RUN)
  await expect(out(page, 'Coming back')).toHaveCount(0, WHOLE_RUN)
  await show(page, 'demo-plain', 'history')
  await expect(page.getByRole('main')).toContainText('cmp-01 is in service.')
  await expectAccessible(page)
})

test('the whole maintenance of a node is one drag and one confirm: out, the work, and back', async ({
  journey: { page },
}) => {
  await show(page, 'demo-plain', 'topology')
  await drag(page, tile(page, 'cmp-02'), zone(page, 'Take out'))
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText(/^Safe to start/)).toBeVisible()
  await sheet.getByText('Wait, then bring it back').click()
  await expect(sheet.getByText(/^Safe to start/)).toBeVisible()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Take cmp-02 out, then bring it back' }).click()
  await expect(page.getByText('cmp-02 is drained and ready for your work').first()).toBeVisible(WHOLE_RUN)
  await page.getByRole('button', { name: 'Work is done, bring it back', exact: true }).first().click()
  await show(page, 'demo-plain', 'history')
  await expect(page.getByRole('main')).toContainText('cmp-02 is in service.', WHOLE_RUN)
})

test('the same by keys alone', async ({ journey: { page } }) => {
  await show(page, 'demo-plain', 'topology')
  await tile(page, 'cmp-01').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('e')
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Take cmp-01 out of service' })
  await expect(page.getByRole('dialog').getByText(/^Safe to start/)).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  // Escape closes it, and the node has the focus again.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(tile(page, 'cmp-01')).toBeFocused()
  await page.keyboard.press('e')
  await expect(confirm).toBeEnabled()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(confirm).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(out(page, 'In maintenance', 'cmp-01')).toBeVisible(WHOLE_RUN)
  await tile(page, 'cmp-01').focus()
  await page.keyboard.press('l')
  const back = page.getByRole('dialog').getByRole('button', { name: 'Bring cmp-01 back into service' })
  await expect(back).toBeEnabled()
  // The focus waits on Cancel until the plan is there.
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await back.focus()
  await page.keyboard.press('Enter')
  await expect(out(page, 'In maintenance')).toHaveCount(0, WHOLE_RUN)
})

test('a plan that is blocked starts only once the operator accepts it with a reason, and the end is not called empty', async ({
  journey: { page },
}) => {
  await show(page, 'demo-plain', 'topology')
  await tile(page, 'cmp-07').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('e')
  const sheet = page.getByRole('dialog')
  const confirm = sheet.getByRole('button', { name: 'Take cmp-07 out of service' })
  await expect(sheet.getByRole('heading', { name: '1 thing blocks this' })).toBeVisible()
  await expect(confirm).toBeDisabled()
  await sheet.getByRole('button', { name: 'Leave it here…' }).click()
  await expect(sheet.getByRole('button', { name: 'Leave it here', exact: true })).toBeDisabled()
  await sheet.getByLabel('Reason to start anyway').fill('its owner agreed')
  await sheet.getByRole('button', { name: 'Leave it here', exact: true }).click()
  await expect(confirm).toBeEnabled()
  await expect(sheet.getByRole('heading', { name: /^Can start/ })).toBeVisible()
  await expect(sheet).toContainText(/pass, 1 accepted by you/)
  await confirm.click()
  await show(page, 'demo-plain', 'history')
  await expect(page.getByRole('main')).toContainText('cmp-07 is not empty', WHOLE_RUN)
})

test('production asks for the name of the cluster before anything disruptive @core', async ({ journey: { page } }) => {
  await show(page, 'demo-edge', 'topology')
  await tile(page, 'edge-4').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('e')
  const sheet = page.getByRole('dialog')
  const confirm = sheet.getByRole('button', { name: 'Take edge-4 out of service' })
  await expect(confirm).toBeDisabled()
  await sheet.getByLabel('Type demo-edge to confirm').fill('demo-plain')
  await expect(confirm).toBeDisabled()
  await sheet.getByLabel('Type demo-edge to confirm').fill('demo-edge')
  await expect(confirm).toBeDisabled()
  await sheet.getByLabel('Why now?').fill('a journey')
  await confirm.click()
  await expect(out(page, 'In maintenance', 'edge-4')).toBeVisible(WHOLE_RUN)
})
