import { expect, test } from '../ways.ts'

test('the console opens on the demo clouds and shows a topology @every-way', async ({ console: { page } }) => {
  await expect(page).toHaveTitle(/Lockkeeper/)
  await expect(page.getByRole('navigation', { name: 'Places' })).toContainText('demo-plain')
  await page.evaluate(() => {
    location.hash = '#/c/demo-plain/topology'
  })
  await expect(page.getByRole('option', { name: /^cmp-01,/ })).toBeVisible({ timeout: 30_000 })
  const first = page.getByRole('complementary', { name: 'First steps' })
  await expect(first).toContainText(/Drag cmp-0\d to “Take out”/)
  await first.getByRole('button', { name: 'Skip the guide' }).click()
  await page.reload()
  await expect(page.getByRole('option', { name: /^cmp-01,/ })).toBeVisible({ timeout: 30_000 })
  await expect(first).toHaveCount(0)
})

test('the console that was killed opens again @every-way', async ({ console: running }) => {
  await running.kill()
  await running.restart()
  await expect(running.page.getByRole('navigation', { name: 'Places' })).toContainText('demo-plain')
})

test('the page gets three functions and nothing else of the desktop @desktop-only', async ({ console: { page } }) => {
  expect(
    await page.evaluate(() => ({
      functions: Object.entries((globalThis as unknown as { lockkeeper: object }).lockkeeper).map(
        ([name, value]) => `${name}: ${typeof value}`,
      ),
      desktop: ['require', 'process', 'ipcRenderer', 'module'].filter(name => name in globalThis),
    })),
  ).toEqual({ functions: ['ask: function', 'listen: function', 'pathOf: function'], desktop: [] })
})

test('the page stays where it is: no navigation, no other window @desktop-only', async ({ console: { page, way } }) => {
  await expect(page.getByRole('navigation', { name: 'Places' })).toBeVisible()
  const before = page.url()
  await page.evaluate(() => {
    location.href = 'https://example.org/'
  })
  // On the stand-in two masters attach to Chromium's new window, the stand-in and Playwright, and may wait for each other for ever;
  // what the face answers there is held by test/unit/faces/electron/security.test.ts.
  if (way === 'electron') await page.evaluate(() => void window.open('https://example.org/'))
  await expect(page.getByRole('navigation', { name: 'Places' })).toBeVisible()
  expect(page.url()).toBe(before)
  await expect
    .poll(
      () =>
        page
          .context()
          .pages()
          .filter(other => other.url().includes('example.org')).length,
    )
    .toBe(0)
})
