import { expect, type Locator, type Page } from '@playwright/test'
import { agreedStart } from '../../fixtures/renderer/windows.ts'
import { type PlayedWindows, playedPlan, playedWindows } from '../../fixtures/renderer/windows-main.ts'
import { expectAccessible, test } from './screen-test.ts'

const OPEN = { nodes: 12, openPlan: playedPlan(10), running: false } as const

/** Opens a screen over a played main, which keeps what it was asked and judges batches: four nodes are too many, cmp-012 fits nowhere. */
async function open(page: Page, hash: string, played: Omit<PlayedWindows, 'nowMs'> = OPEN): Promise<void> {
  await page.addInitScript(
    given => {
      interface Asked {
        readonly batches: readonly { readonly nodes: readonly string[] }[]
        readonly nodes: readonly string[]
      }
      const asked: (readonly [string, unknown])[] = []
      const judged = (batches: Asked['batches']) => ({
        cluster: 'east',
        readAt: new Date().toISOString(),
        batches: batches.map(({ nodes }) => ({
          nodes,
          zones: ['az1'],
          problems:
            nodes.length > 5
              ? [
                  {
                    rule: 'role-limit',
                    weight: 'hard',
                    nodes,
                    code: 'TooManyOfRole',
                    values: {},
                    words: `compute: ${nodes.length} at once, 5 may be.`,
                  },
                ]
              : [],
          capacity: nodes.includes('cmp-012')
            ? {
                kind: 'does-not-fit',
                moving: 4,
                instances: [
                  {
                    id: '1',
                    name: 'big-01',
                    host: 'cmp-012',
                    code: 'NoRoomLeft',
                    values: {},
                    why: 'no other host has 64 GiB free',
                  },
                ],
              }
            : { kind: 'fits', moving: nodes.length },
        })),
        left: [],
        rules: ['compute: 5 at once (cluster setting)'],
        unreachable: [],
      })
      const ask = async (name: string, input: Asked) => {
        asked.push([name, input])
        if (name === 'batches.judge') return { ok: true, value: judged(input.batches) }
        if (name === 'batches.plan') {
          const batches = input.nodes.flatMap((_, at) =>
            at % 3 === 0 ? [{ nodes: input.nodes.slice(at, at + 3) }] : [],
          )
          return { ok: true, value: judged(batches) }
        }
        if (name === 'window.change') {
          return {
            ok: false,
            failure: { code: 'conflict', message: 'eva changed it at 22:10. Nothing was saved.', retryable: false },
          }
        }
        return name in given
          ? { ok: true, value: given[name] }
          : { ok: false, failure: { code: 'unreachable', message: `${name} is not answered.`, retryable: true } }
      }
      Object.assign(globalThis, { asked, lockkeeper: { ask, listen: () => () => {} } })
    },
    playedWindows({ ...played, nowMs: Date.now() }),
  )
  await page.goto(hash)
}

function asked(page: Page, name: string): Promise<unknown[]> {
  return page.evaluate(
    wanted =>
      (globalThis as unknown as { asked: (readonly [string, unknown])[] }).asked
        .filter(([given]) => given === wanted)
        .map(([, input]) => input),
    name,
  )
}

function batch(page: Page, number: number): Locator {
  return page.getByRole('region', { name: `Batch ${number}`, exact: true })
}

function cardOf(place: Locator | Page, name: string): Locator {
  return place.locator(`[data-card="${name}"]`)
}

async function dragTo(page: Page, what: Locator, where: Locator): Promise<void> {
  const from = await boxOf(what)
  await page.mouse.move(from.x + 20, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(from.x + 30, from.y + 20, { steps: 3 })
  // Where nodes are left out comes into sight while one is dragged.
  const to = await boxOf(where)
  await page.mouse.move(to.x + to.width / 2, to.y + 12, { steps: 6 })
  await expect(where).toHaveAttribute('data-over', 'true')
  await page.mouse.up()
}

async function boxOf(place: Locator): Promise<NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>> {
  const box = await place.boundingBox()
  if (box === null) throw new Error('it is not on the screen')
  return box
}

test('the windows of all clouds are in one list and one calendar, what was is folded', async ({ page }) => {
  await open(page, '#/windows')
  const coming = page.getByRole('region', { name: 'Upcoming' }).getByRole('link')
  await expect(coming).toHaveCount(3)
  await expect(coming.nth(0)).toContainText('Ended, not closed')
  await expect(coming.nth(1)).toContainText('10 nodes, ends')
  await expect(coming.nth(2)).toContainText('You start nodes yourself')
  await expect(page.getByRole('link', { name: 'Schedule' })).toContainText('1')
  await expectAccessible(page)
  await page.getByText('Past').click()
  await expect(page.getByRole('link', { name: /Kernel of October/ }).last()).toContainText('Nothing ran')
  await page.getByLabel('Cloud', { exact: true }).selectOption('west')
  await expect(coming).toHaveCount(1)
  await page.getByRole('radio', { name: 'Month' }).click()
  const month = page.getByRole('region', { name: 'Windows of all clouds in a month' })
  await expect(month.getByRole('link', { name: /Firmware of the storage nodes/ }).first()).toBeVisible()
  await expectAccessible(page)
})

test('a window is drawn into the calendar with the pointer, and its form has those times', async ({ page }) => {
  await open(page, '#/windows')
  const grid = page.getByRole('group', { name: 'Hours of the week' })
  await grid.scrollIntoViewIfNeeded()
  const box = await boxOf(page.locator('.cal-scroll'))
  await page.getByRole('button', { name: 'One week later' }).click()
  await page.getByRole('button', { name: 'One week later' }).click()
  await page.mouse.move(box.x + box.width / 2, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y + 140, { steps: 5 })
  await expect(page.getByRole('link', { name: /^New window \d/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(page.getByRole('link', { name: /^New window \d/ })).toHaveCount(0)
  await page.mouse.move(box.x + box.width / 2, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y + 140, { steps: 5 })
  await page.mouse.up()
  await expect(page).toHaveURL(/#\/windows\/new\?from=/)
  await expect(page.getByLabel('Length')).toHaveValue(/^\d+ (h|min)/)
})

test('the same with keys: arrows choose the time, Shift its end, Enter opens the form', async ({ page }) => {
  await open(page, '#/windows')
  await page.getByRole('button', { name: 'One week later' }).click()
  const grid = page.getByRole('group', { name: 'Hours of the week' })
  await grid.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('link', { name: /^New window 09:00–11:00/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Start')).toHaveValue(/ 09:00$/)
  await expect(page.getByLabel('Length')).toHaveValue('2 h')
})

/** Opens the week of the window of the day after tomorrow, which is this one or the next, whatever day it is. */
async function openWeekOfPlanned(page: Page): Promise<{ readonly week: Locator; readonly planned: Locator }> {
  await open(page, '#/windows')
  const week = page.getByRole('region', { name: 'Windows of all clouds in a week' })
  // This week has those that are open: once they are drawn, all of it is.
  await expect(week.getByRole('link').first()).toBeVisible()
  const planned = week.getByRole('link', { name: /Planned on east, / }).first()
  if (!(await planned.isVisible())) await page.getByRole('button', { name: 'One week later' }).click()
  await expect(planned).toBeVisible()
  return { week, planned }
}

test('a planned window is moved on the calendar by keys, and nothing changes before it is confirmed', async ({
  page,
}) => {
  const { planned } = await openWeekOfPlanned(page)
  await expectAccessible(page)
  await planned.focus()
  await page.keyboard.press('Alt+ArrowRight')
  await page.keyboard.press('Shift+Alt+ArrowDown')
  expect(await asked(page, 'window.change')).toEqual([])
  await page.keyboard.press('Escape')
  // Into the next week the calendar goes with it, and back when it is put back, whatever day it is.
  await planned.focus()
  for (let day = 0; day < 7; day += 1) await page.keyboard.press('Alt+ArrowRight')
  await expect(planned).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(planned).toBeFocused()
  await page.keyboard.press('Alt+ArrowRight')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Old', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Change the time' }).click()
  await expect(dialog.getByText('eva changed it at 22:10. Nothing was saved.')).toBeVisible()
  expect(await asked(page, 'window.change')).toHaveLength(1)
})

test('a planned window is dragged to another time on the calendar, and made longer by its edge; Escape puts it back', async ({
  page,
}) => {
  const { week, planned } = await openWeekOfPlanned(page)
  const dialog = page.getByRole('dialog')
  const said = week.locator('.cal-said')
  const grab = async (what: Locator, by: number) => {
    const box = await boxOf(what)
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + by, { steps: 5 })
    await expect(said).not.toBeEmpty()
  }
  await grab(planned, 40)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(said).toBeEmpty()
  await expect(dialog).toHaveCount(0)
  await grab(planned, 40)
  await page.mouse.up()
  await expect(dialog).toContainText('Old')
  await dialog.getByRole('button', { name: 'Keep the old time' }).click()
  await grab(planned.locator('.cal-edge'), 30)
  await page.mouse.up()
  await dialog.getByRole('button', { name: 'Change the time' }).click()
  await expect.poll(() => asked(page, 'window.change')).toHaveLength(1)
})

test('a calendar file is saved of all windows', async ({ page }) => {
  await open(page, '#/windows')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save .ics' }).click()
  expect((await saved).suggestedFilename()).toBe('windows.ics')
})

test('a window is announced for nodes that were chosen by role and put into batches', async ({ page }) => {
  await open(page, '#/windows/new?cluster=east')
  const announce = page.getByRole('button', { name: 'Save window' })
  await expect(announce).toBeDisabled()
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Kernel of December')
  await page.getByLabel('Time zone').selectOption('Europe/Vienna')
  await page.getByLabel('Start', { exact: true }).fill('2099-12-05 22:00')
  await page.getByLabel('Length').fill('6 h')
  await expect(page.getByText('2099-12-05 21:00 UTC')).toBeVisible()
  await expect(page.getByText('Ends 12-06 04:00')).toBeVisible()
  await page.getByRole('radio', { name: 'Lockkeeper goes through these nodes' }).check({ force: true })
  await page.getByLabel('Availability zone', { exact: true }).selectOption('az1')
  await page.getByRole('button', { name: 'Choose these 6' }).click()
  await page.getByRole('button', { name: 'Suggest batches' }).click()
  await expect(batch(page, 2)).toContainText('3 instances move')
  // Before it is saved.
  await expect(page.getByText('10 nodes fit, about 1 h 30 min')).toBeVisible()
  await expectAccessible(page)
  await announce.click()
  await expect
    .poll(() => asked(page, 'window.create'))
    .toMatchObject([
      {
        draft: {
          cluster: 'east',
          title: 'Kernel of December',
          startsAt: '2099-12-05T21:00:00.000Z',
          endsAt: '2099-12-06T03:00:00.000Z',
          timeZone: 'Europe/Vienna',
          plan: {
            kind: 'batches',
            batches: [{ nodes: ['cmp-001', 'cmp-003', 'cmp-005'] }, { nodes: ['cmp-007', 'cmp-009', 'cmp-011'] }],
          },
        },
      },
    ])
  await expect(page).toHaveURL(/#\/windows\/w-new$/)
})

test('times are written as the rest of the screen writes them, and are red only once one typed', async ({ page }) => {
  await open(page, '#/windows/new?cluster=east')
  const begins = page.getByLabel('Start', { exact: true })
  await expect(begins).toHaveValue(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/)
  await expect(begins).toHaveAttribute('aria-invalid', 'false')
  await begins.fill('12/05/2026 10:00 PM')
  await expect(begins).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText(/is not a date and time. Write it as/).first()).toBeVisible()
  await begins.fill('2026-12-05 22:00')
  await expect(begins).toHaveAttribute('aria-invalid', 'false')
})

test('a time that the clocks show twice asks which one is meant', async ({ page }) => {
  await open(page, '#/windows/new?cluster=east')
  await page.getByLabel('Time zone').selectOption('Europe/Vienna')
  await page.getByLabel('Start', { exact: true }).fill('2026-10-25 02:30')
  await expect(page.getByText(/happens twice in Europe\/Vienna/)).toBeVisible()
  await expect(page.getByText('2026-10-25 00:30 UTC')).toBeVisible()
  await page.getByLabel('Start: which of the two').selectOption('second')
  await expect(page.getByText('2026-10-25 01:30 UTC')).toBeVisible()
  await expectAccessible(page)
})

test('cards are dragged between batches, each change is judged, and undone @core', async ({ page }) => {
  await open(page, '#/windows/w-open')
  await expect(batch(page, 1)).toContainText('5 instances move')
  await dragTo(page, cardOf(page, 'cmp-006'), batch(page, 1))
  await expect(cardOf(batch(page, 1), 'cmp-006')).toBeVisible()
  await expect(batch(page, 1)).toContainText('compute: 6 at once, 5 may be.')
  await expect(page.getByText('1 problem', { exact: true })).toBeVisible()
  await dragTo(page, cardOf(page, 'cmp-007'), page.getByRole('region', { name: 'A new batch' }))
  await expect(cardOf(batch(page, 3), 'cmp-007')).toBeVisible()
  await dragTo(page, cardOf(page, 'cmp-001'), page.getByRole('region', { name: 'Left out' }))
  await expect(cardOf(page.getByRole('region', { name: 'Left out' }), 'cmp-001')).toBeVisible()
  await expectAccessible(page)
  const undo = page.getByRole('button', { name: 'Undo the last change of the batches' })
  for (let times = 0; times < 3; times += 1) await undo.click()
  await expect(undo).toBeDisabled()
  await expect(cardOf(batch(page, 2), 'cmp-006')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save the plan' })).toHaveCount(0)
})

test('the same by keys alone, announced as it happens', async ({ page }) => {
  await open(page, '#/windows/w-open')
  await cardOf(page, 'cmp-001').focus()
  await page.keyboard.press('ArrowRight')
  await expect(cardOf(page, 'cmp-002')).toBeFocused()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(cardOf(batch(page, 2), 'cmp-002')).toBeFocused()
  await expect(page.getByText('cmp-002 is in batch 2 of 2, with 5 more.')).toBeAttached()
  await page.keyboard.press('n')
  await expect(cardOf(batch(page, 3), 'cmp-002')).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(cardOf(page.getByRole('region', { name: 'Left out' }), 'cmp-002')).toBeFocused()
  await expect(page.getByText('cmp-002 is left out.')).toBeAttached()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(cardOf(batch(page, 2), 'cmp-002')).toBeFocused()
})

test('a drag that Escape ends moves nothing', async ({ page }) => {
  await open(page, '#/windows/w-open')
  const box = await boxOf(cardOf(page, 'cmp-006'))
  const target = await boxOf(batch(page, 1))
  await page.mouse.move(box.x + 20, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(target.x + 50, target.y + 12, { steps: 6 })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(cardOf(batch(page, 2), 'cmp-006')).toBeVisible()
})

test('a plan that somebody else changed meanwhile is not overwritten, and says so', async ({ page }) => {
  await open(page, '#/windows/w-open')
  await cardOf(page, 'cmp-001').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Save the plan' }).click()
  await expect(page.getByText('eva changed it at 22:10. Nothing was saved.')).toBeVisible()
  await expect(cardOf(page.getByRole('region', { name: 'Left out' }), 'cmp-001')).toBeVisible()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(cardOf(batch(page, 1), 'cmp-001')).toBeVisible()
})

const FIGURES = {
  'Instances per compute node (D)': '50',
  'Compute nodes (NC)': '4',
  'Gateway nodes (NG)': '2',
  'Kubernetes masters (NKC)': '3',
  'Workers of all roles (NKM)': '6',
}

test('the estimate tells ours from the vendor’s, and owners have their message', async ({ page }) => {
  await open(page, '#/windows/w-open')
  await expect(page.getByText(/^10 nodes, ends \d+ min late$/)).toBeVisible()
  const estimate = page.locator('details', { hasText: 'How long' }).first()
  await expect(estimate).toContainText('1 h 30 min to 3 h 10 min, usual to slow')
  await estimate.getByText('How long').click()
  await expect(estimate).toContainText('Not measured here')
  await expect(estimate.getByText('Ceph nodes are counted once')).toBeVisible()
  await expect(estimate.getByText('Ceph nodes are counted with each group')).toBeVisible()
  // The formula takes other figures than this cluster's, and asks for what is missing.
  await estimate.getByText('With other figures').click()
  for (const [label, figure] of Object.entries(FIGURES)) await estimate.getByLabel(label).fill(figure)
  await expect(estimate.getByText(/9 h 3[45] min/)).toBeVisible()
  await estimate.getByLabel('Compute nodes (NC)').fill('')
  await expect(estimate.getByText('The formula needs a number, 0 or more, for computes.')).toBeVisible()
  const owners = page.getByRole('region', { name: 'Owners to inform' })
  await owners.getByText('billing').first().click()
  await expect(owners).toContainText('licence-01 waits for you.')
  const saved = page.waitForEvent('download')
  await owners.getByRole('button', { name: 'Save as CSV' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^owners-east-.*\.csv$/)
  await expectAccessible(page)
})

test('the plan of an open window is checked and started as a run of it', async ({ page }) => {
  await open(page, '#/windows/w-open')
  await page.getByRole('button', { name: 'See the plan and start…' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText(/^Safe to start/)).toBeVisible()
  await expect(sheet).not.toContainText('outside any window')
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Start 2 batches on east' }).click()
  await expect.poll(() => asked(page, 'run.start')).toEqual([{ planId: 'plan-1', windowId: 'w-open' }])
})

test('a planned window can start automatically, says its conditions, and can be taken back with a reason', async ({
  page,
}) => {
  await open(page, '#/windows/w-later', { ...OPEN, later: { plan: playedPlan(10) } })
  await page.getByRole('button', { name: 'Start automatically…' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet).toContainText('This computer must then be awake, with Lockkeeper open on it')
  await sheet.getByLabel('Not later than').selectOption('30')
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Start automatically at its beginning' }).click()
  await expect
    .poll(() => asked(page, 'window.agree-start'))
    .toEqual([{ id: 'w-later', planId: 'plan-1', lateByMinutes: 30 }])
  expect(await asked(page, 'run.start'), 'nothing starts now').toEqual([])
  const reported = page.getByRole('status').filter({ hasText: 'as eva agreed on console-1' })
  await expect(reported).toContainText('Starts automatically at')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel the automatic start…' }).click()
  await page.getByLabel('Why, kept with the window').fill('no spare part')
  await page.getByRole('button', { name: 'Cancel the start', exact: true }).click()
  await expect.poll(() => asked(page, 'window.take-back-start')).toEqual([{ id: 'w-later', why: 'no spare part' }])
  await expect(reported).toHaveCount(0)
})

test('a window that did not start automatically says why on its page and in the bell', async ({ page }) => {
  const state = { kind: 'missed' as const, at: '2026-11-21T22:00:05.000Z', why: 'Health gate errors does not hold.' }
  await open(page, '#/windows/w-later', { ...OPEN, later: { plan: playedPlan(10), start: agreedStart({ state }) } })
  await expect(page.getByRole('status').filter({ hasText: 'Did not start automatically.' })).toContainText(state.why)
  await expectAccessible(page)
  await page.getByRole('button', { name: /needs? you$/ }).click()
  const needs = page.getByRole('region', { name: 'Needs you' })
  await expect(needs).toContainText('did not start automatically')
  await expect(needs).toContainText(state.why)
})

test('a window that may overrun says which nodes to leave out, and leaves them out after a question', async ({
  page,
}) => {
  await open(page, '#/windows/w-open', { ...OPEN, running: true })
  const forecast = page.getByRole('status', { name: 'Where the work is heading' })
  await expect(forecast).toContainText('The work may end late')
  await expectAccessible(page)
  await forecast.getByRole('button', { name: 'Leave out 2 nodes…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('cmp-009 and cmp-010')
  await dialog.getByRole('button', { name: 'Leave out 2 nodes of east' }).click()
  await expect
    .poll(() => asked(page, 'run.skip-node'))
    .toEqual([
      { runId: 'run-1', node: 'cmp-009', reason: 'to end within the window' },
      { runId: 'run-1', node: 'cmp-010', reason: 'to end within the window' },
    ])
  await expect(page.getByRole('button', { name: 'Close the window…' })).toBeDisabled()
})

test('incidents are written down, and the window is closed with a summary', async ({ page }) => {
  await open(page, '#/windows/w-open')
  await page.getByLabel('Note or incident').fill('A disk was lost')
  await page.getByRole('button', { name: 'Add incident' }).click()
  await expect
    .poll(() => asked(page, 'window.note'))
    .toEqual([{ id: 'w-open', note: 'incident', text: 'A disk was lost' }])
  await page.getByRole('button', { name: 'Close the window…' }).click()
  await page.getByLabel('Summary, shown first in the report').fill('Ten nodes done.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Close the window', exact: true }).click()
  await expect.poll(() => asked(page, 'window.close')).toEqual([{ id: 'w-open', summary: 'Ten nodes done.' }])
})

test('the open window is above the map', async ({ page }) => {
  await open(page, '#/c/east/topology', { ...OPEN, running: true })
  await expect(page.getByText(/Window Kernel of November is open until .*, ends in 1 h 1\d min\./)).toBeVisible()
  await expect(page.getByText(/Done by .*: may end late\./)).toBeVisible()
  await expectAccessible(page)
})

test('of two hundred nodes in forty batches one is carried through twenty, frame by frame', async ({ page }) => {
  await open(page, '#/windows/w-open', { ...OPEN, nodes: 200, openPlan: playedPlan(200) })
  await cardOf(page, 'cmp-001').focus()
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    for (let times = 0; times < 20; times += 1) {
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true, cancelable: true }),
      )
      await frame()
      await frame()
    }
  })
  await expect(cardOf(batch(page, 21), 'cmp-001')).toBeVisible()
})
