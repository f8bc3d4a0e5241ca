import type { App, Protocol, Session, WebContents, WebPreferences } from 'electron'
import { CONTENT_SECURITY_POLICY, readPageFile } from '../../api/page-files.ts'

// Everything that restricts the window, in one file (docs/style.md G40). The numbers are those of Electron's security checklist.
// Electron's objects are arguments, so that tests can use this file without an Electron runtime.

/** The scheme and host of the console's page, and of nothing else (checklist 18: no file://). */
export const SCHEME = 'app'
const HOST = 'lockkeeper'

export const PAGE_URL = `${SCHEME}://${HOST}/index.html`

/** Preferences of every window (checklist 2, 3, 4, 5, 6, 8, 9, 11). */
export function securePreferences(preload: string): WebPreferences {
  return { preload, ...HARMLESS }
}

/** The preferences of the hidden print window: no scripts, and a separate session. */
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

/** Whether an address is exactly the console's page (checklist 17). Compares the parsed scheme and host, never a prefix; `URL.origin` is the text "null" for every custom scheme. */
export function isOurPage(address: string, page: string = PAGE_URL): boolean {
  if (!URL.canParse(address) || !URL.canParse(page)) return false
  const given = new URL(address)
  const ours = new URL(page)
  return given.protocol === ours.protocol && given.host === ours.host && given.username === '' && given.password === ''
}

/** Gives `app://` its own origin; must run before the app is ready. */
export function registerAppScheme(protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>): void {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true } }])
}

/** Serves the built renderer, and only files in its folder, as `app://lockkeeper/` (checklist 18). */
export function serveRenderer(protocol: Pick<Protocol, 'handle'>, directory: string): void {
  protocol.handle(SCHEME, request => answerFile(request, directory))
}

/** Refuses every permission that a page can request (checklist 5). */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
}

/** Guards every page of this process, including popups, webviews and pages of unpackaged apps. Call it before the app is ready, so that no page comes earlier. */
export function guardEveryPage(app: Pick<App, 'on'>, page: string = PAGE_URL): void {
  app.on('web-contents-created', (_event, contents) => {
    denyPermissions(contents.session)
    guardContents(contents, page)
  })
}

/** Forbids navigation (also of frames), new windows and webviews (checklist 12, 13, 14). */
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
