import { expect, type Page } from '@playwright/test'
import { expectAccessible, test } from './screen-test.ts'

const TROUBLES = [
  { name: 'stuck', on: false, cloud: 'demo-plain', node: 'cmp-01', object: 'db-01' },
  { name: 'silent-node', on: true, cloud: 'demo-plain', node: 'cmp-05', object: 'cmp-05' },
]
const CONSOLE = {
  ...{ version: '0.2.0', face: 'serve', demo: true, operator: 'eva', machine: 'laptop', pid: 7, driverId: 'a' },
  ...{ dataDirectory: '/tmp/demo', picksFiles: false, secrets: { kind: 'file', words: 'in files' } },
}

/** Plays main: a demo whose history is being played, and whose troubles are switched. */
async function connectMain(page: Page, demo: boolean): Promise<void> {
  await page.addInitScript(
    ({ troubles, described }) => {
      const listeners: Record<string, ((payload: unknown) => void)[]> = {}
      const asked: string[] = []
      let state = { troubles, history: { played: 2, of: 7 } as unknown }
      const refused = { ok: false, failure: { code: 'unreachable', message: 'Not played here.', retryable: true } }
      const show = (next: typeof state) => {
        state = next
        for (const listener of listeners['demo.changed'] ?? []) listener(state)
      }
      Object.assign(globalThis, {
        asked,
        endHistory: () => show({ ...state, history: null }),
        lockkeeper: {
          ask: async (name: string, input: { readonly name: string; readonly on: boolean }) => {
            asked.push(name)
            if (name === 'console.describe') return { ok: true, value: described }
            if (name === 'cluster.list') return { ok: true, value: [] }
            if (name === 'demo.show') return { ok: true, value: state }
            if (name !== 'demo.change') return refused
            const changed = state.troubles.map(each => (each.name === input.name ? { ...each, on: input.on } : each))
            show({ ...state, troubles: changed })
            return { ok: true, value: state }
          },
          listen: (name: string, listener: (payload: unknown) => void) => {
            listeners[name] = [...(listeners[name] ?? []), listener]
            return () => {}
          },
        },
      })
    },
    { troubles: TROUBLES, described: { ...CONSOLE, demo } },
  )
}

test('the bar of the demo shows how far its history is, and switches troubles', async ({ page }) => {
  await connectMain(page, true)
  await page.goto('#/')
  await expect(page.getByText('Preparing history: 2 of 7 runs')).toBeVisible()
  await page.evaluate('endHistory()')
  await expect(page.getByText('Preparing history')).toBeHidden()
  expect(await page.evaluate("asked.filter(name => name === 'run.list').length")).toBeGreaterThan(1)

  await page.getByRole('button', { name: /^Make it fail 1 on$/ }).press('Enter')
  const menu = page.getByRole('region', { name: 'Make it fail' })
  await expect(menu.getByText('db-01 writes memory as fast as the network copies it.')).toBeVisible()
  await expect(menu.getByLabel('A node goes silent')).toBeChecked()
  await menu.getByLabel('A move never ends').press('Space')
  await expect(menu.getByLabel('A move never ends')).toBeChecked()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(page.getByRole('button', { name: /^Make it fail 2 on$/ })).toBeFocused()
})

test('a trouble names the plan that meets it', async ({ page }) => {
  await connectMain(page, true)
  await page.goto('#/')
  await page.getByRole('button', { name: /Make it fail/ }).click()
  await page.getByRole('button', { name: 'Rescue cmp-05…' }).click()
  await expect(page).toHaveURL(/#\/c\/demo-plain\/topology/)
  await expect(page.getByRole('dialog')).toContainText('cmp-05')
})

test('a console of real clouds has no troubles', async ({ page }) => {
  await connectMain(page, false)
  await page.goto('#/')
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /Make it fail/ })).toHaveCount(0)
  expect(await page.evaluate("asked.includes('demo.show')")).toBe(false)
})
