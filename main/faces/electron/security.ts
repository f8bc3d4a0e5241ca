import type { App, Protocol, Session, WebContents, WebPreferences } from 'electron'
import { CONTENT_SECURITY_POLICY, readPageFile } from '../../api/page-files.ts'

// Everything that keeps the window harmless, on one page (docs/style.md G40). The numbers are those of Electron's security checklist.
// Electron's objects come in as arguments: this page is also tested, and its policy used, where no Electron runtime is installed.

/** The scheme and host that our own page, and nothing else, is served from (checklist 18: no file://). */
export const SCHEME = 'app'
const HOST = 'lockkeeper'

/** The address of the one page of the desktop face. */
export const PAGE_URL = `${SCHEME}://${HOST}/index.html`

/** The same for every window, in tests as in production (checklist 2, 3, 4, 5, 6, 8, 9, 11). */
export function securePreferences(preload: string): WebPreferences {
  return { preload, ...HARMLESS }
}

/** For the hidden window a page is printed in: besides, it runs no scripts and has nothing of our page's session. */
export function printPreferences(session: Session): WebPreferences {
  return { ...HARMLESS, session, javascript: false }
}

const HARMLESS: WebPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webviewTag: false,
  spellcheck: false,
}

/**
 * Whether an address is exactly our page's (checklist 17). Compared by parsed scheme and host, never by prefix; `URL.origin` would be
 * the text "null" for every scheme that is not the web's own, ours and a stranger's alike.
 */
export function isOurPage(address: string, page: string = PAGE_URL): boolean {
  if (!URL.canParse(address) || !URL.canParse(page)) return false
  const given = new URL(address)
  const ours = new URL(page)
  return given.protocol === ours.protocol && given.host === ours.host && given.username === '' && given.password === ''
}

/** Makes `app://` a scheme with an origin of its own; must run before the app is ready. */
export function registerAppScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true } }])
}

/** Serves the built renderer, and only files inside its folder, as `app://lockkeeper/` (checklist 18). */
export function serveRenderer(protocol: Pick<Protocol, 'handle'>, directory: string): void {
  protocol.handle(SCHEME, request => answerFile(request, directory))
}

/** Refuses every permission a page can ask for: camera, notifications, devices, all (checklist 5). */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
}

/**
 * Guards every page that this process will ever have, whoever opens it: windows, popups, webviews, those of an app that is not packaged
 * too. To be called before the app is ready, so that none comes before.
 */
export function guardEveryPage(app: Pick<App, 'on'>, page: string = PAGE_URL): void {
  app.on('web-contents-created', (_event, contents) => {
    denyPermissions(contents.session)
    guardContents(contents, page)
  })
}

/** Keeps a page where it is: no navigation, not of a frame in it either, no new windows, no webview (checklist 12, 13, 14). */
export function guardContents(contents: WebContents, page: string = PAGE_URL): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-attach-webview', event => event.preventDefault())
  const stay = (event: { readonly url: string; preventDefault(): void }) => {
    if (!isOurPage(event.url, page)) event.preventDefault()
  }
  contents.on('will-navigate', stay)
  contents.on('will-frame-navigate', stay)
  contents.on('will-redirect', stay)
}

async function answerFile(request: Request, directory: string): Promise<Response> {
  const isOurs = request.method === 'GET' && isOurPage(request.url)
  const file = isOurs ? await readPageFile(directory, new URL(request.url).pathname) : null
  if (file === null) return new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain' } })
  const headers = {
    'content-type': file.mediaType,
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'x-content-type-options': 'nosniff',
  }
  return new Response(file.content, { headers })
}
