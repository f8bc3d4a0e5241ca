import { join } from 'node:path'

/** What decides which browser prints. */
export interface PrintingMachine {
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether the path is an executable file. */
  readonly isProgram: (path: string) => boolean
}

/** The browser that prints, or the names that were tried. */
export type FoundChromium =
  | { readonly kind: 'found'; readonly path: string }
  /** `LOCKKEEPER_CHROMIUM` names something that cannot be run; no other browser replaces it. */
  | { readonly kind: 'named-wrongly'; readonly path: string }
  | { readonly kind: 'none'; readonly lookedFor: readonly string[] }

/** The environment variable that selects the browser for printing. */
export const CHROMIUM_VARIABLE = 'LOCKKEEPER_CHROMIUM'

const LINUX_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
] as const
const MAC_PLACES = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
] as const
const WINDOWS_PLACES = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
] as const

/** The browser that the operator named, otherwise Chromium, Chrome or Edge in the usual places. */
export function findChromium({ platform, env, isProgram }: PrintingMachine): FoundChromium {
  const named = env[CHROMIUM_VARIABLE] ?? ''
  if (named !== '') return isProgram(named) ? { kind: 'found', path: named } : { kind: 'named-wrongly', path: named }
  const path = placesOf(platform, env).find(isProgram)
  if (path !== undefined) return { kind: 'found', path }
  return { kind: 'none', lookedFor: lookedFor(platform) }
}

function placesOf(platform: string, env: PrintingMachine['env']): readonly string[] {
  switch (platform) {
    case 'darwin':
      return ['/Applications', join(env.HOME ?? '', 'Applications')].flatMap(folder =>
        MAC_PLACES.map(place => join(folder, place)),
      )
    case 'win32':
      return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap(folder =>
        folder === undefined || folder === '' ? [] : WINDOWS_PLACES.map(place => `${folder}\\${place}`),
      )
    default:
      // A relative path would depend on the folder where the console started.
      return (env.PATH ?? '')
        .split(':')
        .filter(folder => folder.startsWith('/'))
        .concat('/usr/bin', '/usr/local/bin', '/snap/bin')
        .flatMap(folder => LINUX_NAMES.map(name => join(folder, name)))
  }
}

function lookedFor(platform: string): readonly string[] {
  if (platform === 'darwin' || platform === 'win32') return ['Google Chrome', 'Chromium', 'Microsoft Edge']
  return LINUX_NAMES
}
