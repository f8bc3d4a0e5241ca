import type { App } from './app.ts'

/** The permissions that a page could request, by Chromium's names (https://chromedevtools.github.io/devtools-protocol/tot/Browser/#type-PermissionType). */
const PERMISSIONS = ['notifications', 'geolocation', 'clipboard-read', 'camera', 'microphone', 'midi', 'storage-access']

type RequestHandler = (contents: null, permission: string, answer: (granted: boolean) => void, details: object) => void
type CheckHandler = (contents: null, permission: string, origin: string, details: object) => boolean

/** The session: https://www.electronjs.org/docs/latest/api/session. A permission is granted only when both handlers grant it. */
export function sessionOf(app: App) {
  let onRequest: RequestHandler | null = null
  let onCheck: CheckHandler | null = null
  const apply = async () => {
    const chromium = await app.browser()
    for (const name of PERMISSIONS) {
      let isGranted = onCheck?.(null, name, '', {}) ?? true
      onRequest?.(
        null,
        name,
        granted => {
          isGranted &&= granted
        },
        {},
      )
      const setting = isGranted ? 'granted' : 'denied'
      await chromium.send('Browser.setPermission', { permission: { name }, setting }).catch(() => {})
    }
  }
  return {
    setPermissionRequestHandler(handler: RequestHandler | null): void {
      onRequest = handler
      void apply()
    },
    setPermissionCheckHandler(handler: CheckHandler | null): void {
      onCheck = handler
      void apply()
    },
    /** Chromium asks nobody here: a headless browser has no device chooser, and so grants no device. */
    setDevicePermissionHandler(): void {},
  }
}
