import { EventEmitter } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Session, WebContents } from 'electron'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { CONTENT_SECURITY_POLICY } from '../../../../main/api/page-files.ts'
import {
  denyPermissions,
  guardContents,
  guardEveryPage,
  isOurPage,
  PAGE_URL,
  registerAppScheme,
  serveRenderer,
} from '../../../../main/faces/electron/security.ts'
import { openWindow } from '../../../../main/faces/electron/window.ts'
import {
  BrowserWindow,
  protocol,
  StandInContents,
  StandInSession,
  session,
} from '../../../electron-stand-in/electron.ts'

describe('the window', () => {
  test('is sandboxed, isolated and without Node, and leaves web security as it is', () => {
    openWindow('/preload.cjs')
    const opened = BrowserWindow.opened.at(-1)
    expect(opened?.options.webPreferences).toEqual({
      preload: '/preload.cjs',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      spellcheck: false,
    })
  })

  test.each([
    ['will-navigate', 'https://example.org/', true],
    ['will-navigate', 'app://lockkeeper.example/', true],
    ['will-redirect', 'file:///etc/passwd', true],
    ['will-frame-navigate', 'https://example.org/', true],
    ['will-navigate', 'app://lockkeeper/index.html#/home', false],
  ])('on %s to %s is stopped: %s', (moment, url, stopped) => {
    const contents = new StandInContents()
    guardContents(contents as unknown as WebContents)
    let prevented = false
    contents.emit(moment, { url, preventDefault: () => (prevented = true) })
    expect(prevented).toBe(stopped)
  })

  test('never attaches a webview', () => {
    const contents = new StandInContents()
    guardContents(contents as unknown as WebContents)
    let prevented = false
    contents.emit('will-attach-webview', { preventDefault: () => (prevented = true) })
    expect(prevented).toBe(true)
  })
})

describe.each([
  ['packaged', PAGE_URL],
  ['not packaged, on a development server', 'http://localhost:5173/'],
])('every page of an app that is %s', (_which, page) => {
  const app = new EventEmitter()
  guardEveryPage(app as never, page)
  /** A window, a popup or a webview: Electron reports each in the same way. */
  const created = () => {
    const contents = new StandInContents(new StandInSession())
    app.emit('web-contents-created', {}, contents)
    return contents
  }
  const isPrevented = (contents: StandInContents, moment: string, details: object = {}) => {
    let prevented = false
    contents.emit(moment, { ...details, preventDefault: () => (prevented = true) })
    return prevented
  }

  test('opens no other, and attaches no webview', () => {
    const contents = created()
    expect(contents.openHandler?.()).toEqual({ action: 'deny' })
    expect(isPrevented(contents, 'will-attach-webview')).toBe(true)
  })

  test.each(['will-navigate', 'will-redirect', 'will-frame-navigate'])('stays where it is on %s', moment => {
    const contents = created()
    expect(isPrevented(contents, moment, { url: 'https://example.org/' })).toBe(true)
    expect(isPrevented(contents, moment, { url: page })).toBe(false)
  })

  test('is granted nothing, in whatever session it is', () => {
    const { session: own } = created()
    const answers: boolean[] = []
    own.onRequest?.(null, 'media', granted => answers.push(granted))
    expect([...answers, own.onCheck?.(), own.onDevice?.()]).toEqual([false, false, false])
  })
})

test('every permission a page asks for is refused', () => {
  const asked = session.defaultSession
  denyPermissions(asked as unknown as Session)
  const answers: boolean[] = []
  asked.onRequest?.(null, 'media', granted => answers.push(granted))
  expect(answers).toEqual([false])
  expect(asked.onCheck?.()).toBe(false)
  expect(asked.onDevice?.()).toBe(false)
})

test('our page is known by scheme and host alone', () => {
  expect(isOurPage('app://lockkeeper/assets/x.js')).toBe(true)
  expect(isOurPage('app://lockkeeper:80/index.html')).toBe(false)
  expect(isOurPage('app://user@lockkeeper/index.html')).toBe(false)
  expect(isOurPage('http://localhost:5173/', 'http://localhost:5173/')).toBe(true)
  expect(isOurPage('http://localhost:5174/', 'http://localhost:5173/')).toBe(false)
})

describe('app://lockkeeper', () => {
  let outer: string
  beforeAll(async () => {
    outer = await mkdtemp(join(tmpdir(), 'lockkeeper-page-'))
    await writeFile(join(outer, 'secret.html'), 'secret')
    const directory = await mkdtemp(join(outer, 'renderer-'))
    await writeFile(join(directory, 'index.html'), '<!doctype html>')
    await writeFile(join(directory, 'notes.txt'), 'not a page file')
    registerAppScheme(protocol as never)
    serveRenderer(protocol as never, directory)
  })
  afterAll(() => rm(outer, { recursive: true }))

  const get = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const serve = protocol.serving.get('app')
    if (serve === undefined) throw new Error('app:// is not served')
    return serve(new Request(`app://lockkeeper/${path}`, init))
  }

  test('is a separate origin, secure, with no other privilege', () => {
    expect(protocol.schemes).toEqual([{ scheme: 'app', privileges: { standard: true, secure: true } }])
  })

  test('serves the page under the content policy, with its media type fixed', async () => {
    const answer = await get('index.html')
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('<!doctype html>')
    expect(answer.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('the content policy starts from nothing and allows no code from elsewhere, inline or evaluated', () => {
    expect(CONTENT_SECURITY_POLICY).toMatch(/^default-src 'none';/)
    expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe|https?:|\*/)
  })

  test.each(['%2e%2e/secret.html', '%2e%2e%2fsecret.html', 'x/..%2f..%2fsecret.html', '..%5csecret.html', 'a%00.html'])(
    'serves nothing outside the renderer build: %s',
    async path => {
      const answer = await get(path)
      expect(answer.status).toBe(404)
      expect(await answer.text()).not.toContain('secret')
    },
  )

  test.each(['notes.txt', 'missing.html', '', '%E0%A4%A'])('answers 404 for %j', async path => {
    expect((await get(path)).status).toBe(404)
  })

  test('answers nothing but GET', async () => {
    expect((await get('index.html', { method: 'POST' })).status).toBe(404)
  })
})

test('a release build has every fuse in its safe position', async () => {
  const config = parse(await readFile(new URL('../../../../electron-builder.yml', import.meta.url), 'utf8')) as {
    readonly appId: string
    readonly electronFuses: Readonly<Record<string, boolean>>
  }
  expect(config.appId).toBe('dev.lockkeeper.app')
  expect(config.electronFuses).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  })
})
