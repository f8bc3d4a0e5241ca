import { join } from 'node:path'

/** The parts of this machine that decide which browser prints. */
export interface PrintingMachine {
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether this is a file that may be run. */
  readonly isProgram: (path: string) => boolean
}

/** The browser that prints, or everything that was looked for. */
export type FoundChromium =
  | { readonly kind: 'found'; readonly path: string }
  /** `LOCKKEEPER_CHROMIUM` names something that cannot be run: another browser is not taken in its place. */
  | { readonly kind: 'named-wrongly'; readonly path: string }
  | { readonly kind: 'none'; readonly lookedFor: readonly string[] }

/** The environment variable by which an operator says which browser prints. */
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

/** The browser of this machine that can print: the one the operator named, else Chromium, Chrome or Edge at their usual places. */
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
      // A name that is no path from the root would depend on where the console was started.
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
