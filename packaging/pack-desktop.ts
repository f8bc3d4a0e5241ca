import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type CliOptions, type Configuration } from 'electron-builder'
import { readInventories } from './bundle-inventory.ts'
import { writeLicencesAndSbom } from './licences-and-sbom.ts'
import { electronRuntime } from './shipped-runtime.ts'

const ROOT = resolve(import.meta.dirname, '..')

type DesktopOptions = Omit<CliOptions, 'config'> & { readonly config?: Configuration }

/** Packs what `npm run build` made, as electron-builder.yml says; `config` goes over what that file has. Answers the files made. */
export async function packDesktop({ config, ...options }: DesktopOptions): Promise<readonly string[]> {
  const updates = updateUrl(process.env.LOCKKEEPER_UPDATE_URL)
  const bundles = readInventories(join(ROOT, 'out'), ['main', 'preload', 'renderer'])
  writeLicencesAndSbom(join(ROOT, 'out/desktop'), bundles, [electronRuntime(electronVersion())])
  return build({
    ...options,
    projectDir: ROOT,
    publish: 'never',
    config: {
      ...config,
      // The updater compares signatures: macOS and Windows get no such build without one.
      ...(updates === null ? { publish: null } : { forceCodeSigning: true }),
    },
  })
}

/** Where a build will look for updates; null: nowhere. What comes from there is installed, so nobody on the way may change it. */
function updateUrl(given: string | undefined): string | null {
  if (given === undefined || given === '') return null
  if (URL.canParse(given) && new URL(given).protocol === 'https:') return given
  throw new Error(`LOCKKEEPER_UPDATE_URL is "${given}": the https address of a folder is needed.`)
}

/** What electron-builder lacks that it would have fetched, in a sentence; null where it failed for another reason. */
export function whatIsMissing(reason: unknown): string | null {
  if (!(reason instanceof Error) || !('code' in reason) || !NOT_FETCHED.has(String(reason.code))) return null
  return [
    `Nothing was packed: Electron ${electronVersion()}'s runtime, or a tool that electron-builder packs with (fpm, appimagetool, NSIS), is not on this`,
    `machine and could not be fetched (${reason.message}). Run this where GitHub's releases can be reached, or name a mirror with`,
    'ELECTRON_MIRROR and ELECTRON_BUILDER_BINARIES_MIRROR; a runtime that is unpacked already is taken with --runtime FOLDER.',
  ].join(' ')
}

function electronVersion(): string {
  const manifest = readFileSync(join(ROOT, 'node_modules/electron/package.json'), 'utf8')
  return (JSON.parse(manifest) as { readonly version: string }).version
}

/** How a download fails, in the words of Node and of the client that electron-builder has. */
const NOT_FETCHED: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ERR_NON_2XX_3XX_RESPONSE',
  'ETIMEDOUT',
])
