import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { must } from '../../../shared/domain/must.ts'
import * as standIn from '../../electron-stand-in/electron.ts'

const OUT = resolve(import.meta.dirname, '../../../out')
const page = (place: string) => `app://lockkeeper/index.html#${place}`

let dataDirectory: string
let window: standIn.BrowserWindow

beforeAll(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'lockkeeper-links-'))
  process.env.LOCKKEEPER_DATA_DIR = dataDirectory
  process.argv.push('--demo', 'lockkeeper://cluster/demo-plain')
  await import(/* @vite-ignore */ join(OUT, 'main/index.mjs'))
  await vi.waitUntil(() => standIn.BrowserWindow.opened.length + standIn.dialog.errors.length > 0, 30_000)
  window = must(standIn.BrowserWindow.opened[0], `a window opened, not a dialog: ${standIn.dialog.errors.join(' ')}`)
})
afterAll(async () => {
  window.close()
  await vi.waitUntil(() => standIn.app.exitCode !== null, 20_000)
  rmSync(dataDirectory, { recursive: true, force: true })
})

const shown = () => window.webContents.mainFrame.url

test('the built app opens links of the scheme that its packages are registered for', () => {
  expect(standIn.app.schemes).toEqual(['lockkeeper'])
})

test('a link on the command line is where the app begins', async () => {
  await expect.poll(shown, { timeout: 20_000 }).toBe(page('/c/demo-plain/topology'))
})

test('a link of a second start brings the window to the front, on its page', async () => {
  window.hide()
  standIn.app.emit('second-instance', {}, ['lockkeeper-desktop', 'lockkeeper://cluster/demo-edge'], '/')
  await expect.poll(shown).toBe(page('/c/demo-edge/topology'))
  expect(window.shown).toBe(true)
})

test('so does a link that macOS tells', async () => {
  window.hide()
  standIn.app.emit('open-url', { preventDefault: () => {} }, 'lockkeeper://cluster/demo-sunbeam')
  await expect.poll(shown).toBe(page('/c/demo-sunbeam/topology'))
  expect(window.shown).toBe(true)
})

test('a hostile one changes nothing; one to what is not here says so', async () => {
  const before = shown()
  window.hide()
  for (const hostile of ['lockkeeper://run/r1/abort', 'lockkeeper://cluster/..%2f..', 'https://example.org/']) {
    standIn.app.emit('open-url', { preventDefault: () => {} }, hostile)
  }
  standIn.app.emit('open-url', { preventDefault: () => {} }, 'lockkeeper://run/nosuchrun0')
  await expect.poll(() => standIn.dialog.asked).toMatchObject([{ message: 'This console has no run nosuchrun0.' }])
  expect(shown()).toBe(before)
})
