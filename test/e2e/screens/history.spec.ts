import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { Cluster } from '../../../shared/domain/cluster.ts'
import { DEFAULT_ROLE_LABELS } from '../../../shared/domain/roles.ts'
import {
  PLAYED_CHECK,
  PLAYED_JOURNAL,
  PLAYED_VERDICT,
  playedBlockers,
  playedMeasured,
  playedRuns,
  playedWindows,
} from '../../fixtures/renderer/history.ts'
import { playedRun } from '../../fixtures/renderer/played-runs.ts'
import { expectAccessible, test } from './screen-test.ts'

/** Main's answers; a function in them would not reach the page. */
type Played = Readonly<Record<string, unknown>>

const CLUSTERS = ['east', 'west', 'lab'].map(name =>
  Cluster.parse({
    name,
    flavour: 'plain',
    kubeconfig: { paths: ['/etc/kube/config'], context: name },
    cloud: null,
    roleLabels: DEFAULT_ROLE_LABELS,
    limits: { migrationsPerSource: 1, migrationAttempts: 3, drainTimeoutMs: 0, returnTimeoutMs: 1000 },
    openstackNamespace: 'openstack',
    leaseNamespace: 'default',
    production: false,
    addedAt: '2026-01-01T00:00:00Z',
  }),
)

function main(more: Played = {}): Played {
  const runs = playedRuns(900)
  return {
    'cluster.list': CLUSTERS,
    'run.list': runs.slice(0, 50).map(({ windowId: _, ...run }) => run),
    'window.list': playedWindows(),
    'edit.list': [],
    'journal.status': PLAYED_JOURNAL,
    'journal.check': PLAYED_CHECK,
    'history.search': { runs, windows: playedWindows(), more: true },
    'history.durations': { measured: playedMeasured(180), unreadable: [] },
    'history.blockers': playedBlockers(),
    'report.verify': PLAYED_VERDICT,
    ...more,
  }
}

/** Plays main; what is asked is kept, and `{ failure }` is answered as one. */
async function play(page: Page, answers: Played): Promise<void> {
  await page.addInitScript(given => {
    const asked: { name: string; input: unknown }[] = []
    const refused = { code: 'unreachable', message: 'Not played here.', retryable: true }
    Object.assign(globalThis, {
      asked,
      lockkeeper: {
        ask: async (name: string, input: unknown) => {
          asked.push({ name, input })
          const answer = (given as Record<string, unknown>)[name]
          if (answer === undefined) return { ok: false, failure: refused }
          return answer !== null && typeof answer === 'object' && 'failure' in answer
            ? { ok: false, failure: answer.failure }
            : { ok: true, value: answer }
        },
        listen: () => () => {},
      },
    })
  }, answers)
}

const askedOf = (page: Page, name: string) =>
  page.evaluate(wanted => {
    const { asked } = globalThis as unknown as { asked: { name: string; input: unknown }[] }
    return asked.filter(each => each.name === wanted).map(each => each.input)
  }, name)

test('runs and windows of all clusters stand in one table, of which the arrow keys reach every row', async ({
  page,
}) => {
  await play(page, main())
  await page.goto('#/history')
  await expect(page).toHaveTitle('History · Lockkeeper')
  const table = page.getByRole('table', { name: 'History' })
  await expect(table.getByRole('row').nth(1)).toContainText('Kernel 6.8 on the computes of the second row')
  await expect(table.getByRole('row', { name: /Firmware of rack 4.*Closed/ })).toContainText('CHG-20417')
  await expect(table.getByRole('link', { name: 'Bring cmp-1 back into service', exact: true }).first()).toHaveAttribute(
    'href',
    '#/c/east/history/run000000',
  )
  expect(await table.getByRole('row').count()).toBeLessThan(80)
  await expectAccessible(page)
  await table.getByRole('link').first().focus()
  await page.keyboard.press('End')
  await expect(table.locator('[data-index="901"] a')).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await expect(table.locator('[data-index="1"] a')).toBeFocused()
})

test('words and days are asked of main, and finding nothing says how to see everything again', async ({ page }) => {
  await play(page, main({ 'history.search': { runs: [], windows: [], more: false } }))
  await page.goto('#/history?cluster=west')
  await page.getByRole('searchbox', { name: 'Find in the history' }).fill('CHG-1')
  await page.getByLabel('From').fill('2026-11-01')
  await expect
    .poll(async () => (await askedOf(page, 'history.search')).at(-1))
    .toMatchObject({
      cluster: 'west',
      text: 'CHG-1',
      from: new Date('2026-11-01T00:00:00').toISOString(),
      to: null,
    })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show everything' }).click()
  await expect.poll(async () => (await askedOf(page, 'history.search')).at(-1)).toMatchObject({ text: '', from: null })
})

test('durations are points and figures, cloud by cloud; one node can be shown alone', async ({ page }) => {
  await play(page, main())
  await page.goto('#/history/durations')
  const east = page.getByRole('region', { name: /^east/ })
  await expect(east.getByRole('img', { name: /Emptying of nodes of east over time: 120 times, usual/ })).toBeVisible()
  await expectAccessible(page)
  await east.getByRole('button', { name: 'cmp-2', exact: true }).press('Enter')
  await expect(east.getByRole('img', { name: /Emptying of cmp-2 over time/ })).toBeVisible()
  await page.getByLabel('Duration of').selectOption('work')
  await expect(page.getByText('No times for this yet.')).toBeVisible()
})

test('the last 30 days show how many nodes went out and came back', async ({ page }) => {
  await play(page, main())
  await page.goto('#/history/month')
  await expect(page.getByRole('img', { name: /^The last 30 days: \d+ nodes? taken out/ })).toBeVisible()
  await expectAccessible(page)
})

test('a repeated blocker links to the runs that it blocked', async ({ page }) => {
  await play(page, main())
  await page.goto('#/history/blockers')
  const row = page.getByRole('row', { name: /rabbitmq allows no disruption/ })
  await expect(row.getByRole('link').first()).toHaveAttribute('href', '#/c/east/history/run000001')
  await row.getByText('2 more runs').click()
  await expect(row.getByRole('link', { name: 'gone00001' })).toBeVisible()
  await expectAccessible(page)
})

test('an empty history says what will be there', async ({ page }) => {
  await play(
    page,
    main({
      'history.search': { runs: [], windows: [], more: false },
      'history.durations': { measured: [], unreadable: [] },
      'history.blockers': [],
    }),
  )
  await page.goto('#/history')
  await expect(page.getByRole('heading', { name: 'Nothing has happened yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Durations' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing was measured yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Blockers' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing blocked a run twice' })).toBeVisible()
})

test('a run that cannot be read is named, and the others are counted', async ({ page }) => {
  const damage = 'Event 4711 of run 4f1c in /data/journal.db cannot be read.'
  await play(page, main({ 'history.durations': { measured: playedMeasured(9), unreadable: [damage] } }))
  await page.goto('#/history/durations')
  await expect(page.getByRole('alert')).toContainText(damage)
  await expect(page.getByRole('region', { name: /^east/ })).toBeVisible()
})

test('the check distinguishes a changed report from an unchanged one, finding by finding', async ({ page }) => {
  await play(page, main())
  await page.goto('#/history/reports')
  await page.getByLabel('Report to check', { exact: true }).setInputFiles({
    name: 'window.html',
    mimeType: 'text/html',
    buffer: Buffer.from('<!doctype html>the report'),
  })
  await expect(page.getByRole('heading', { name: 'window.html was changed' })).toBeVisible()
  await expect(page.getByRole('row', { name: /Figures/ })).toContainText('✗ no')
  await expect(page.getByRole('row', { name: /Journal here/ })).toContainText('unknown')
  expect(await askedOf(page, 'report.verify')).toEqual([{ content: '<!doctype html>the report' }])
  await expectAccessible(page)
})

test('a dropped file larger than the limit is not sent, and the page says how to check it', async ({ page }) => {
  await play(page, main())
  await page.goto('#/history/reports')
  // Made in the page: sending so much into it takes longer than the test may.
  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(41 * 1024 * 1024)], 'huge.json', { type: 'application/json' }))
    return data
  })
  await page.getByRole('group', { name: 'A report to check' }).dispatchEvent('drop', { dataTransfer: dropped })
  await expect(page.getByRole('heading', { name: 'huge.json is too large to check here' })).toBeVisible()
  expect(await askedOf(page, 'report.verify')).toEqual([])
})

test('the journal is checked, and old entries go only after what would go was seen and the day was typed', async ({
  page,
}) => {
  const pruned = { before: '2026-06-01T00:00:00.000Z', runs: 12, windows: 1, entries: 4210, archive: null }
  await play(page, main({ 'journal.prune': pruned }))
  await page.goto('#/history/journal')
  await expect(page.getByText('/home/olga/.local/share/lockkeeper/journal.db')).toBeVisible()
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Every entry is unchanged' })).toBeVisible()
  await page.getByLabel('Remove what ended before').fill('2026-06-01')
  await page.getByRole('button', { name: 'Show what would be removed' }).click()
  await expect(page.getByText('12 runs, 1 window and 4,210 entries would be removed')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove them' })).toBeDisabled()
  await expectAccessible(page)
  await page.getByLabel('Type 2026-06-01 to remove them').fill('2026-06-01')
  await page.getByRole('button', { name: 'Remove them' }).click()
  await expect(page.getByRole('heading', { name: 'Removed' })).toBeVisible()
  const before = new Date('2026-06-01T00:00:00').toISOString()
  expect(await askedOf(page, 'journal.prune')).toEqual([
    { before, dryRun: true },
    { before, dryRun: false },
  ])
})

test('every screen names a read-only journal, and none offers a change', async ({ page }) => {
  const readOnly = 'Its file belongs to a newer Lockkeeper (schema 5).'
  await play(page, main({ 'journal.status': { ...PLAYED_JOURNAL, readOnly } }))
  await page.goto('#/home')
  await expect(page.getByRole('status').filter({ hasText: 'The journal is read-only.' })).toContainText(readOnly)
  await page.getByRole('link', { name: 'The journal', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Import' })).toBeDisabled()
  await expect(page.getByLabel('Remove what ended before')).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Write copy' })).toBeEnabled()
  await expectAccessible(page)
})

test('the page of a run saves the report as a file that names its hash @core', async ({ page }) => {
  const content = '# Report\n'
  const hash = 'ab'.repeat(32)
  const runId = 'run-done'
  const file = { name: 'run.md', mediaType: 'text/markdown', encoding: 'utf8', content, hash }
  await play(page, main({ 'run.show': playedRun('done'), 'report.make': file }))
  await page.goto(`#/c/east/history/${runId}`)
  await page.getByRole('button', { name: 'Open report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report of this run' })
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: /Markdown/ }).press('Space')
  await dialog.getByLabel('Replace the names of instances and projects').press('Space')
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('# Report')
  const before = await askedOf(page, 'report.make')
  expect(before.at(-1)).toEqual({ subject: { kind: 'run', id: runId }, format: 'md', table: 'instances', redact: true })
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save Markdown' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe('run.md')
  expect(await readFile(await download.path(), 'utf8')).toBe(content)
  await expect(dialog).toContainText(hash)
  await expectAccessible(page)
  // What was shown is what was saved: it is not made a second time.
  expect(await askedOf(page, 'report.make')).toEqual(before)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('the page of a report is shown before it is saved, in its own style; nothing in it runs or leads away', async ({
  page,
}) => {
  const content = `<!doctype html><html><head><style>:root { --ink: rgb(1, 2, 3); } body { color: var(--ink); } h1 { font-size: 77px; }</style></head>
    <body><h1>Night of az1</h1><a href="#proof">The proof</a>
    <script>window.ran = true</script><h2 id="proof" style="width:123px">Proof</h2></body></html>`
  const file = { name: 'run.html', mediaType: 'text/html', encoding: 'utf8', content, hash: 'ab'.repeat(32) }
  await play(page, main({ 'run.show': playedRun('done'), 'report.make': file }))
  await page.goto('#/c/east/history/run-done')
  const address = page.url()
  await page.getByRole('button', { name: 'Open report' }).click()
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByRole('heading', { name: 'Night of az1' })).toHaveCSS('font-size', '77px')
  await expect(preview.getByRole('heading', { name: 'Night of az1' })).toHaveCSS('color', 'rgb(1, 2, 3)')
  await expect(preview.getByRole('heading', { name: 'Proof' })).toHaveCSS('width', '123px')
  await preview.getByRole('link', { name: 'The proof' }).click()
  expect(page.url()).toBe(address)
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Report of this run' })).toBeHidden()
})

test('a report that cannot be made says why, in the words of main', async ({ page }) => {
  const message = 'This machine has no Chromium to print with. Save the HTML and print it from a browser.'
  await play(
    page,
    main({
      'run.show': playedRun('done'),
      'report.make': { failure: { code: 'conflict', message, retryable: false } },
    }),
  )
  await page.goto('#/c/east/history/run-done')
  await page.getByRole('button', { name: 'Open report' }).click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText(message)
  await expect(page.getByRole('button', { name: 'Save HTML' })).toBeDisabled()
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
  await expect.poll(async () => (await askedOf(page, 'report.make')).length).toBeGreaterThan(1)
})
