import { expect, type Locator, type Page } from '@playwright/test'
import type { UpdateProposal } from '../../../shared/contract/maintenance.ts'
import type { NodeView, ViewSource } from '../../../shared/domain/cluster-view.ts'
import { clusterView, instanceView, nodeView } from '../../fixtures/renderer/views.ts'
import { expectAccessible, test } from './screen-test.ts'

const counts = { total: 3, live_migrate: 2, migrating: 0, poweroff: 1, notify: 0, ignore: 0, blocked: 0 }

const ROOM = { vcpusUsed: 8, vcpusTotal: 64, ramUsedMib: 16_384, ramTotalMib: 131_072 }

const NODES: readonly NodeView[] = [
  nodeView('ctl-1', { roles: ['control'], computeService: null, instances: null }),
  nodeView('cmp-01', { instances: counts, load: ROOM }),
  nodeView('cmp-02', { instances: { ...counts, total: 4, blocked: 1 }, load: ROOM }),
  nodeView('cmp-03', {
    zone: 'az2',
    state: 'maintenance',
    schedulable: false,
    stateReason: 'It is cordoned and its nova-compute is disabled, and everything that had to leave has left.',
    computeService: { status: 'disabled', state: 'up', disabledReason: 'firmware' },
  }),
  nodeView('cmp-04', { zone: 'az2', state: 'partial', stateReason: 'Its nova-compute is down.' }),
]

const LIVE: ViewSource = { name: 'nodes', state: { kind: 'live', lastAnswerAt: '2026-11-21T06:00:00Z' }, everyMs: null }

const MOVER = instanceView('1', { flavor: { name: 'm1', vcpus: 2, ramMib: 4096, diskGib: 20, ephemeralGib: 0 } })

/** The only other host, without room for it. */
const FULL: unknown = nodeView('cmp-02', { instances: counts, load: { ...ROOM, ramUsedMib: ROOM.ramTotalMib } })

/** Two nodes in two batches, as main would put them. */
const PROPOSAL = {
  options: {
    scope: 'os',
    release: null,
    reason: '',
    controlNodes: [],
    groups: ['cmp-01', 'cmp-02'].map((node, at) => ({
      name: `batch-${at + 1}`,
      index: at + 1,
      nodes: [node],
      concurrentUpdates: 1,
    })),
    zoneAtATime: false,
    work: { kind: 'person' },
    pauseBetweenNodes: false,
    pauseBetweenPhases: false,
  },
  left: [{ node: 'ctl-1', reasons: [], why: 'no room for its instances' }],
  batches: ['cmp-01', 'cmp-02'].map((node, at) => ({
    nodes: [node],
    zones: ['az1'],
    problems: [],
    capacity: { kind: 'fits' as const, moving: 3 + at },
  })),
} satisfies UpdateProposal

/** Plays main with one cluster, and keeps what it was asked. */
async function openTopology(page: Page, sources: readonly ViewSource[] = [LIVE]): Promise<void> {
  const view: unknown = clusterView('east', { nodes: [...NODES], instances: [MOVER], sources: [...sources] })
  await page.addInitScript(
    ({ view, proposal }) => {
      const asked: (readonly [string, unknown])[] = []
      const listeners = new Map<string, (payload: unknown) => void>()
      const answers: Record<string, () => unknown> = {
        'cluster.list': () => [],
        'run.list': () => [],
        'edit.list': () => [],
        'view.open': () => ({ view, seq: 1 }),
        'update.propose': () => proposal,
      }
      const ask = async (name: string, input: unknown) => {
        asked.push([name, input])
        const answer = answers[name]
        return answer === undefined
          ? { ok: false, failure: { code: 'unreachable', message: `${name} is not answered.`, retryable: true } }
          : { ok: true, value: answer() }
      }
      const listen = (name: string, listener: (payload: unknown) => void) => {
        listeners.set(name, listener)
        return () => {}
      }
      Object.assign(globalThis, { asked, listeners, lockkeeper: { ask, listen } })
    },
    { view, proposal: PROPOSAL },
  )
  await page.goto('#/c/east/topology')
  await expect(tile(page, 'cmp-01')).toBeVisible()
}

/** The tile of a node on the map. */
function tile(page: Page, name: string): Locator {
  return page.getByRole('option', { name: new RegExp(`^${name},`) })
}

async function centre(place: Locator): Promise<readonly [number, number]> {
  const box = await place.boundingBox()
  if (box === null) throw new Error('it is not on the screen')
  return [box.x + box.width / 2, box.y + box.height / 2]
}

/** Presses on one thing and carries it over another, without letting go; the zones appear once the drag begins. */
async function carry(page: Page, what: Locator, where: Locator): Promise<void> {
  const [x, y] = await centre(what)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 12, y + 12, { steps: 2 })
  await page.mouse.move(...(await centre(where)), { steps: 6 })
}

function asked(page: Page, name: string): Promise<unknown> {
  return page.evaluate(
    wanted =>
      (globalThis as unknown as { asked: (readonly [string, unknown])[] }).asked
        .filter(([given]) => given === wanted)
        .map(([, input]) => input),
    name,
  )
}

const zone = (page: Page, name: 'Take out' | 'Bring back') => page.getByRole('region', { name, exact: true })
const strip = (page: Page) => page.getByRole('region', { name: 'Nodes out of service' })

test('nodes dragged onto Take out together are one plan with its order and its room, and nothing is started', async ({
  page,
}) => {
  await openTopology(page)
  await tile(page, 'cmp-01').click({ modifiers: ['Control'] })
  await tile(page, 'cmp-02').click({ modifiers: ['Control'] })
  await carry(page, tile(page, 'cmp-02'), zone(page, 'Take out'))
  await expect(zone(page, 'Take out')).toContainText('Drop to see the plan')
  await page.mouse.up()
  const plan = page.getByRole('dialog')
  await expect(plan.getByRole('button', { name: /^All out now/ })).toBeFocused()
  expect(await asked(page, 'update.propose')).toEqual([])
  await plan.getByRole('button', { name: /^One after another, and back/ }).click()
  await expect(plan.getByRole('heading', { name: 'Maintain 2 nodes one after another' })).toBeVisible()
  await expect.poll(() => asked(page, 'update.propose')).toEqual([{ cluster: 'east', nodes: ['cmp-01', 'cmp-02'] }])
  // The check starts without a click: an operator drags, reads and confirms.
  await expect
    .poll(() => asked(page, 'update.plan'))
    .toMatchObject([{ cluster: 'east', update: { groups: [{ concurrentUpdates: 1 }] } }])
  expect(await asked(page, 'run.start')).toEqual([])
})

test('a chosen node without a place in the batches shows as left out, and is not counted', async ({ page }) => {
  await openTopology(page)
  for (const node of ['cmp-01', 'cmp-02', 'ctl-1']) await tile(page, node).click({ modifiers: ['Control'] })
  await page.keyboard.press('e')
  const plan = page.getByRole('dialog')
  await plan.getByRole('button', { name: /^All out now/ }).click()
  await expect.poll(() => asked(page, 'update.propose')).toMatchObject([{ staysOut: true }])
  await expect(plan.getByRole('region', { name: 'Left out' })).toContainText(
    'ctl-1 is left out: no room for its instances',
  )
  await expect(plan.getByRole('heading', { name: 'Take 2 nodes out of service' })).toBeVisible()
})

test('during a drag, the instances of a node are on the cards where they may go, and the zones say what a drop does', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 560 })
  await openTopology(page)
  const arriving = page.locator('.topo-tile .mark-arriving')
  const scrolled = () => page.locator('.topo-viewport').evaluate(({ scrollTop }) => scrollTop)
  const before = await scrolled()
  await carry(page, tile(page, 'cmp-01'), zone(page, 'Take out'))
  await expect(tile(page, 'cmp-02').locator('.mark-arriving')).toHaveCount(1)
  await expect(arriving).toHaveCount(1)
  await expect(zone(page, 'Take out')).toContainText('1 moves')
  await expect(zone(page, 'Bring back')).toContainText('cmp-01 is in service.')
  // The map does not move under a dragged node, and the card lies beside the words of the zone.
  expect(await scrolled()).toBe(before)
  const [hand, words] = [
    await page.locator('.topo-hand').boundingBox(),
    await zone(page, 'Take out').locator('.topo-zone-words').boundingBox(),
  ]
  if (hand === null || words === null) throw new Error('both are on the screen')
  expect(words.x + words.width).toBeLessThanOrEqual(hand.x)
  await page.mouse.move(...(await centre(zone(page, 'Bring back'))))
  await expect(arriving).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(zone(page, 'Take out')).toHaveCount(0)
})

test('Escape in the middle of a drag puts everything back @core', async ({ page }) => {
  await openTopology(page)
  await carry(page, tile(page, 'cmp-01'), zone(page, 'Take out'))
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(zone(page, 'Take out')).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await asked(page, 'run.start')).toEqual([])
})

test('a node in maintenance is dragged from the strip to Bring back, which opens the plan', async ({ page }) => {
  await openTopology(page)
  const item = strip(page).getByRole('article', { name: 'cmp-03' })
  await expect(item).toContainText('In maintenance')
  await carry(page, item.getByRole('button', { name: 'cmp-03', exact: true }), zone(page, 'Bring back'))
  await page.mouse.up()
  await expect.poll(() => asked(page, 'plan.make')).toMatchObject([{ node: 'cmp-03', kind: 'leave' }])
})

test('a node is carried to a zone by keys alone, with the same words', async ({ page }) => {
  await openTopology(page)
  await tile(page, 'cmp-03').focus()
  await page.keyboard.press('m')
  await expect(zone(page, 'Bring back')).toContainText('Enter shows the plan')
  await page.keyboard.press('ArrowLeft')
  await expect(zone(page, 'Take out')).toContainText('cmp-03 is already in maintenance.')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(() => asked(page, 'plan.make')).toMatchObject([{ node: 'cmp-03', kind: 'leave' }])
})

test('cards name their instances; who has nowhere to go is blocked, as in the plan', async ({ page }) => {
  await openTopology(page)
  await expect(tile(page, 'cmp-01')).toContainText('vm-1')
  await expect(tile(page, 'cmp-01').locator('.mark-moves')).toHaveCount(1)
  await page.evaluate(full => {
    const { listeners } = globalThis as unknown as { listeners: Map<string, (payload: unknown) => void> }
    const changes = [{ kind: 'node', value: full }]
    listeners.get('view.patch')?.({ cluster: 'east', fromSeq: 1, toSeq: 2, changes })
  }, FULL)
  await expect(tile(page, 'cmp-01').locator('.mark-blocked')).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Legend' })).toContainText('Blocked')
})

test('the menu of a node says why something cannot be done with it', async ({ page }) => {
  await openTopology(page)
  await tile(page, 'cmp-03').focus()
  await page.keyboard.press('Shift+F10')
  const menu = page.getByRole('menu', { name: 'cmp-03 of east' })
  await expect(menu.getByRole('menuitem', { name: 'Take out of service' })).toContainText(
    'cmp-03 is already in maintenance.',
  )
  await expect(menu.getByRole('menuitem', { name: 'Bring back into service' })).toBeEnabled()
  await page.keyboard.press('Escape')
  await expect(tile(page, 'cmp-03')).toBeFocused()
})

test('the panel of a node opens by Enter; Escape closes it and gives the focus back', async ({ page }) => {
  await openTopology(page)
  await tile(page, 'cmp-04').focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Node cmp-04' })
  await expect(panel).toContainText('Its nova-compute is down.')
  await panel.getByRole('tab', { name: 'Pods' }).click()
  await expect(panel.getByRole('alert')).toContainText('node.show is not answered.')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(tile(page, 'cmp-04')).toBeFocused()
})

test('old facts show their age and the reason @core', async ({ page }) => {
  const since = new Date(Date.now() - 200_000).toISOString()
  await openTopology(page, [
    LIVE,
    { name: 'instances', state: { kind: 'offline', since, why: 'Nova answered 503' }, everyMs: 3000 },
  ])
  await expect(page.getByRole('list', { name: 'Old facts' })).toHaveText(
    /Instances as of [34] min ago: Nova answered 503/,
  )
})

test('search narrows the map, and says so when nothing is left', async ({ page }) => {
  await openTopology(page)
  await page.keyboard.press('/')
  await page.keyboard.type('cmp az2')
  await expect(page.getByRole('option')).toHaveCount(2)
  await page.keyboard.type(' nowhere')
  await expect(page.getByText('No node matches the filter')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).last().click()
  await expect(page.getByRole('option')).toHaveCount(NODES.length)
})

test('from far away tiles are colours on a canvas, redrawn when a node or the theme changes, and stay what is pressed and read', async ({
  page,
}) => {
  await openTopology(page)
  await page.getByRole('slider', { name: 'Size of the nodes' }).fill('0')
  const canvas = page.locator('canvas.topo-far-canvas')
  await expect(canvas).toHaveCount(1)
  /** The colour of a tile's face, above its name. */
  const colour = async (name: string) => {
    const [face, own] = [await canvas.boundingBox(), await tile(page, name).boundingBox()]
    if (face === null || own === null) throw new Error('both are on the screen')
    return canvas.evaluate(
      (element, [x, y]) => {
        const drawn = element as HTMLCanvasElement
        const scale = drawn.width / drawn.clientWidth
        // Read from a copy: the page's own is drawn on, never read.
        const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
        copy?.drawImage(drawn, x * scale, y * scale, 1, 1, 0, 0, 1, 1)
        return [...(copy?.getImageData(0, 0, 1, 1).data ?? [])].join(' ')
      },
      [own.x - face.x + own.width / 2, own.y - face.y + 5] as const,
    )
  }
  const inService = await colour('cmp-01')
  expect(await colour('cmp-02')).toBe(inService)
  expect(await colour('cmp-03')).not.toBe(inService)
  const changed: unknown = { ...NODES[2], state: 'maintenance' }
  await page.evaluate(node => {
    const { listeners } = globalThis as unknown as { listeners: Map<string, (payload: unknown) => void> }
    const changes = [{ kind: 'node', value: node }]
    listeners.get('view.patch')?.({ cluster: 'east', fromSeq: 1, toSeq: 2, changes })
  }, changed)
  await expect.poll(() => colour('cmp-02')).not.toBe(inService)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => colour('cmp-01')).not.toBe(inService)
  await tile(page, 'cmp-01').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('complementary', { name: 'Node cmp-01' })).toBeVisible()
})

test('nothing on the screen keeps anybody out @core', async ({ page }) => {
  await openTopology(page)
  await page.getByRole('button', { name: 'All signs' }).click()
  await expect(page.getByText('Locks of controllers')).toBeVisible()
  await page.keyboard.press('Escape')
  await tile(page, 'cmp-03').click()
  await expect(page.getByRole('complementary', { name: 'Node cmp-03' })).toBeVisible()
  await expectAccessible(page)
})

test('the name of a band stays beside its tiles while the map is scrolled', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 300 })
  await openTopology(page)
  const name = page.locator('.topo-band-name', { hasText: 'Compute' })
  const first = tile(page, 'cmp-01')
  const apart = async () => {
    const [above, beside] = [await name.boundingBox(), await first.boundingBox()]
    return above === null || beside === null ? Number.NaN : Math.abs(above.y - beside.y)
  }
  const before = await apart()
  await page.locator('.topo-viewport').evaluate(map => map.scrollBy(0, 24))
  await expect.poll(apart).toBeLessThanOrEqual(before + 1)
})

test.describe('an instance that is seen on another host', () => {
  /** Tells the page that the instance is elsewhere, and counts what flies from then on. */
  const move = (page: Page) =>
    page.evaluate(
      moved => {
        const seen = { flown: 0 }
        Object.assign(globalThis, { seen })
        new MutationObserver(changes => {
          for (const { addedNodes } of changes)
            for (const node of addedNodes) if (node instanceof Element && node.matches('.topo-flying')) seen.flown += 1
        }).observe(document.body, { childList: true, subtree: true })
        const { listeners } = globalThis as unknown as { listeners: Map<string, (payload: unknown) => void> }
        const change = { kind: 'instance', value: moved }
        listeners.get('view.patch')?.({ cluster: 'east', fromSeq: 1, toSeq: 2, changes: [change] })
      },
      instanceView('1', { host: 'cmp-02', node: 'cmp-02' }),
    )
  const flown = (page: Page) => page.evaluate(() => (globalThis as unknown as { seen: { flown: number } }).seen.flown)

  test('flies there, once, and leaves nothing behind', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await openTopology(page)
    await move(page)
    await expect.poll(() => flown(page)).toBe(1)
    await expect(page.locator('.topo-flying')).toHaveCount(0)
    expect(await flown(page)).toBe(1)
  })

  test('is there at once where motion is not wanted', async ({ page }) => {
    await openTopology(page)
    await move(page)
    // A patch is drawn with the next frame: what flies does so by the third.
    for (let frame = 0; frame < 5; frame += 1) {
      await page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)))
    }
    expect(await flown(page)).toBe(0)
  })
})

for (const [width, height] of [
  [900, 800],
  [640, 400],
] as const) {
  test(`${width} by ${height} pixels: the rail has icons with names on hover, and the map keeps half of the height`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height })
    await openTopology(page)
    const home = page.getByRole('navigation', { name: 'Places' }).getByTitle('Home')
    await expect(home.locator('svg')).toBeVisible()
    // A screen reader has its name; the eye sees the whole icon.
    await expect(home).toHaveAccessibleName('Home')
    expect((await home.boundingBox())?.width).toBeLessThanOrEqual(52)
    expect((await home.getByText('Home').boundingBox())?.width ?? 0).toBeLessThanOrEqual(1)
    const map = await page.locator('.topo-viewport').boundingBox()
    expect(map?.height).toBeGreaterThanOrEqual(height / 2)
  })
}

for (const width of [900, 1280]) {
  test(`the panel of a node leaves its tile free, ${width} pixels wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await openTopology(page)
    for (const name of ['cmp-04', 'cmp-01']) {
      await page.goto(`#/c/east/topology?node=${name}`)
      const panel = page.getByRole('complementary', { name })
      await expect(panel).toBeVisible()
      const [over, own] = [await panel.boundingBox(), await tile(page, name).boundingBox()]
      if (over === null || own === null) throw new Error('both are on the screen')
      expect(own.x + own.width).toBeLessThanOrEqual(over.x)
      expect(own.x).toBeGreaterThanOrEqual(0)
    }
  })
}
