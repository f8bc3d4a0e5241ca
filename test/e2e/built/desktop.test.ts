import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { must } from '../../../shared/domain/must.ts'
import * as standIn from '../../electron-stand-in/electron.ts'
import { readSource } from '../../unit/architecture/source.ts'

const OUT = resolve(import.meta.dirname, '../../../out')

describe('the built preload', () => {
  test('is one file, as a sandboxed preload has to be', () => {
    expect(readdirSync(join(OUT, 'preload'))).toEqual(['preload.cjs'])
  })

  test('loads with nothing but electron to require, and exposes three functions', () => {
    const exposed = new Map<string, unknown>()
    const required: string[] = []
    const electron = {
      contextBridge: { exposeInMainWorld: (name: string, value: unknown) => exposed.set(name, value) },
      ipcRenderer: standIn.ipcRenderer,
    }
    runInNewContext(readFileSync(join(OUT, 'preload/preload.cjs'), 'utf8'), {
      require: (name: string) => {
        required.push(name)
        return electron
      },
      module: { exports: {} },
      exports: {},
    })
    expect(required).toEqual(['electron'])
    expect([...exposed.keys()]).toEqual(['lockkeeper'])
    expect(Object.keys(exposed.get('lockkeeper') as object).sort()).toEqual(['ask', 'listen', 'pathOf'])
  })
})

describe('the built renderer', () => {
  test('has no inline script or style, which the content policy would refuse', () => {
    const page = readFileSync(join(OUT, 'renderer/index.html'), 'utf8')
    expect(page).toMatch(/<script type="module"[^>]* src="\.\/assets\//)
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|javascript:/)
  })
})

test('the built main process needs no package but electron itself', () => {
  const files = readdirSync(join(OUT, 'main')).filter(name => name.endsWith('.mjs'))
  expect(files).toContain('index.mjs')
  const needed = files.flatMap(name => readSource(name, readFileSync(join(OUT, 'main', name), 'utf8')).imports)
  expect(needed.map(({ from }) => from)).toContain('electron')
  const packages = needed.filter(
    ({ from }) => from !== 'electron' && from !== null && !from.startsWith('.') && !isBuiltin(from),
  )
  expect(packages).toEqual([])
})

describe('the desktop face, started on the stand-in', () => {
  let dataDirectory: string
  let window: standIn.BrowserWindow

  beforeAll(async () => {
    dataDirectory = mkdtempSync(join(tmpdir(), 'lockkeeper-desktop-'))
    process.env.LOCKKEEPER_DATA_DIR = dataDirectory
    await import(/* @vite-ignore */ join(OUT, 'main/index.mjs'))
    await vi.waitUntil(() => standIn.BrowserWindow.opened.length + standIn.dialog.errors.length > 0, 20_000)
    window = must(standIn.BrowserWindow.opened[0], `a window opened, not a dialog: ${standIn.dialog.errors.join(' ')}`)
    await vi.waitUntil(() => window.shown, 20_000)
  })
  afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }))

  test('sandboxes every process and opens one window on our own page', () => {
    expect(standIn.app.sandboxed).toBe(true)
    expect(window.options).toMatchObject({
      webPreferences: {
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        preload: join(OUT, 'preload/preload.cjs'),
      },
    })
    expect(window.webContents.mainFrame.url).toBe('app://lockkeeper/index.html')
  })

  test('guards every page that is ever opened, not its window alone', () => {
    const popup = new standIn.StandInContents()
    standIn.app.emit('web-contents-created', {}, popup)
    for (const contents of [window.webContents, popup]) {
      expect(contents.openHandler?.()).toEqual({ action: 'deny' })
      let prevented = false
      contents.emit('will-navigate', { url: 'https://example.org/', preventDefault: () => (prevented = true) })
      expect(prevented).toBe(true)
      expect(contents.session.onCheck?.()).toBe(false)
    }
  })

  test('serves the built page and every file it names', async () => {
    const serve = must(standIn.protocol.serving.get('app'), 'the app scheme is served')
    const page = await serve(new Request('app://lockkeeper/index.html'))
    expect(page.status).toBe(200)
    const named = [...(await page.text()).matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) => path)
    expect(named.length).toBeGreaterThan(1)
    for (const path of named) {
      expect((await serve(new Request(`app://lockkeeper/${path}`))).status, path).toBe(200)
    }
  })

  test('answers a request of its window through the router, with no cluster registered yet', async () => {
    const sender = { sender: window.webContents, senderFrame: window.webContents.mainFrame }
    const answer = await standIn.ipcMain.invoke('lockkeeper:ask', sender, 'cluster.list', {})
    expect(answer).toEqual({ ok: true, value: [] })
  })

  test('refuses input that does not fit the contract', async () => {
    const sender = { sender: window.webContents, senderFrame: window.webContents.mainFrame }
    const answer = await standIn.ipcMain.invoke('lockkeeper:ask', sender, 'cluster.remove', { name: 7 })
    expect(answer).toMatchObject({ ok: false, failure: { code: 'bad-input' } })
  })

  test('ends when its window is closed, leaving no handler behind', async () => {
    window.close()
    await expect.poll(() => standIn.app.exitCode).toBe(0)
    expect(standIn.ipcMain.handlers.size).toBe(0)
  })
})
