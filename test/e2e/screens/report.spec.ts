import { expect } from '@playwright/test'
import type { Report } from '../../../shared/domain/report.ts'
import { largeReport, movedInstance, richReport, smallReport } from '../../fixtures/reports/sample-report.ts'
import { interruptedReport, redactedReport } from '../../fixtures/reports/sample-variants.ts'
import { type ReportPages, reportPages } from './report-pages.ts'
import { expectAccessible, test } from './screen-test.ts'

// A report as a file in a browser: nothing runs in it, nothing is loaded, whatever is complained about on the console fails the test.

const REPORTS = {
  rich: richReport(),
  small: smallReport(),
  interrupted: interruptedReport(),
  redacted: redactedReport(),
  large: largeReport(60, 500),
  warning: {
    ...smallReport(),
    redacted: true,
    completeness: { kind: 'interrupted', words: 'Interrupted: nobody drives it.' },
    damage: ['Entry 17 is not what was written.'],
  },
} as const satisfies Readonly<Record<string, Report>>

let pages: ReportPages
test.beforeAll(async () => {
  pages = await reportPages()
})
test.afterAll(() => pages.close())

for (const name of ['rich', 'warning'] as const) {
  test(`the page of a ${name} report keeps nobody out`, async ({ page }) => {
    await page.goto(await pages.addressOf(name, REPORTS[name]))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(REPORTS[name].title)
    await expectAccessible(page)
  })
}

test('it asks for nothing but itself', async ({ page }) => {
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  const address = await pages.addressOf('rich', REPORTS.rich)
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  expect(asked).toEqual([address])
})

test('what an executive reads is on the first screen', async ({ page }) => {
  await page.goto(await pages.addressOf('rich', REPORTS.rich))
  const { summary } = REPORTS.rich
  await expect(page.getByText('Done', { exact: true })).toBeInViewport({ ratio: 1 })
  for (const words of [summary.headline, ...summary.lines]) {
    await expect(page.getByText(words)).toBeInViewport({ ratio: 1 })
  }
  for (const name of ['Nodes done', 'Downtime seen, all instances', 'Incidents']) {
    await expect(page.getByText(name, { exact: true }).first()).toBeInViewport({ ratio: 1 })
  }
})

test('five hundred instances are read in a table that names each, and the page is not wider than the window', async ({
  page,
}) => {
  await page.goto(await pages.addressOf('large', REPORTS.large))
  const part = page.getByRole('region', { name: 'Instances', exact: true })
  expect(await part.locator('tbody tr:not(.group)').count()).toBe(500)
  await expect(part.getByRole('rowheader', { name: /^cmp-rack1-00 \d+ instances$/ })).toHaveCount(1)
  const { width, room } = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    room: document.documentElement.clientWidth,
  }))
  expect(width).toBe(room)
})

for (const width of [687, 390]) {
  test(`nothing is wider than ${width} pixels, except tables that scroll`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(await pages.addressOf('interrupted', REPORTS.interrupted))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })
}

test('printed, nothing is wider than the paper: it would make everything smaller', async ({ page }) => {
  // 182 mm, what A4 leaves between its margins.
  await page.setViewportSize({ width: 687, height: 900 })
  await page.emulateMedia({ media: 'print' })
  for (const [name, report] of Object.entries(REPORTS)) {
    await page.goto(await pages.addressOf(name, report))
    const tooWide = await page.evaluate(() =>
      [...document.body.querySelectorAll('*:not(svg *, caption)')]
        .filter(element => element.getBoundingClientRect().right > window.innerWidth + 1)
        .map(element => element.outerHTML.slice(0, 80)),
    )
    expect(tooWide).toEqual([])
  }
})

test('printed in a dark room it is as light as on a light screen', async ({ page }) => {
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color)
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  await page.goto(await pages.addressOf('rich', REPORTS.rich))
  const light = await ink()
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  expect(await ink(), 'a dark screen has another ink').not.toBe(light)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await ink()).toBe(light)
})

test('a name that is a script stays a name', async ({ page }) => {
  const evil = '</script><img src=x onerror="document.title=1"><script>document.title=2</script>'
  const report = { ...REPORTS.rich, instances: [movedInstance(1, 'cmp-1', { name: evil })] }
  await page.goto(await pages.addressOf('evil', report))
  await expect(page.getByText(evil)).toBeVisible()
  expect(await page.locator('img').count()).toBe(0)
  expect(await page.title()).toBe(report.title)
  const carried = await page.locator('#lockkeeper-report').textContent()
  expect(JSON.parse(carried ?? '')).toEqual(report)
})
