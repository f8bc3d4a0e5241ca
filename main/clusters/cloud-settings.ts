import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import {
  findPublicFile,
  findSecureFile,
  isSettings,
  readSettings,
  type Setting,
  type Settings,
} from './clouds-files.ts'
import type { FilePlaces } from './file-places.ts'

/** The settings of one cloud with secure.yaml and its profile merged in, and their files. Contains secrets. */
export interface CloudSettings {
  readonly settings: Settings
  readonly cloudsFile: string
  readonly secureFile: string | null
}

export function cloudNames(clouds: Settings): readonly string[] {
  return isSettings(clouds.clouds) ? Object.keys(clouds.clouds).sort() : []
}

/** Reads a cloud as openstacksdk does (config/loader.py), without its built-in profiles: secure.yaml over clouds.yaml, both over clouds-public.yaml. */
export async function readCloudSettings(
  cloudsFile: string,
  cloud: string,
  places: FilePlaces,
): Promise<Result<CloudSettings>> {
  const clouds = await readSettings(cloudsFile)
  if (!clouds.ok) return clouds
  const secureFile = await findSecureFile(cloudsFile, places)
  const secure = secureFile === null ? ok({}) : await readSettings(secureFile)
  if (!secure.ok) return secure
  const own = entryOf(clouds.value, cloud)
  if (own === undefined) return failed(unknownCloud(cloud, cloudsFile, clouds.value))
  if (!isSettings(own) && own !== '') {
    return failed(refusal('bad-input', because('CloudNoSettings', { cloud, file: cloudsFile }), { target: cloudsFile }))
  }
  const hidden = entryOf(secure.value, cloud)
  const merged = merge(isSettings(own) ? own : {}, isSettings(hidden) ? hidden : {})
  const profiled = await withProfile(merged, cloud, cloudsFile, places)
  return profiled.ok ? ok({ settings: filledIn(inRegion(profiled.value)), cloudsFile, secureFile }) : profiled
}

function entryOf(file: Settings, cloud: string): Setting | undefined {
  return isSettings(file.clouds) && Object.hasOwn(file.clouds, cloud) ? file.clouds[cloud] : undefined
}

function unknownCloud(cloud: string, file: string, clouds: Settings) {
  return refusal('not-found', because('CloudNotInFile', { cloud, file, clouds: cloudNames(clouds) }), { target: file })
}

/** `over` wins; mappings are merged key by key, at any depth (os_client_config merge_clouds). */
function merge(under: Settings, over: Settings): Settings {
  const merged = new Map<string, Setting>(Object.entries(under))
  for (const [key, value] of Object.entries(over)) {
    const below = merged.get(key)
    merged.set(key, isSettings(below) && isSettings(value) ? merge(below, value) : value)
  }
  return Object.fromEntries(merged)
}

async function withProfile(
  settings: Settings,
  cloud: string,
  cloudsFile: string,
  places: FilePlaces,
): Promise<Result<Settings>> {
  const profile = settings.profile ?? settings.cloud
  if (typeof profile !== 'string' || profile === '') return ok(settings)
  const file = await findPublicFile(cloudsFile, places)
  const profiles = file === null ? ok({}) : await readSettings(file)
  if (!profiles.ok) return profiles
  const all: Setting | undefined = (profiles.value as Settings)['public-clouds']
  const found = isSettings(all) && Object.hasOwn(all, profile) ? all[profile] : undefined
  if (isSettings(found)) return ok(merge(found, settings))
  const names = isSettings(all) ? Object.keys(all).sort() : null
  const why = because('CloudProfileUnknown', { cloud, file: cloudsFile, profile, profilesFile: file, profiles: names })
  return failed(refusal('not-found', why, { target: cloudsFile }))
}

/** Fixes the region: region_name, else the first of `regions`, whose own values then apply (loader.py _get_region). */
function inRegion(settings: Settings): Settings {
  const known = regionsOf(settings)
  const wanted = regionNamed(settings)
  const chosen = wanted === null ? known[0] : known.find(region => region.name === wanted)
  if (chosen === undefined) return wanted === null ? settings : { ...settings, region_name: wanted }
  return { ...merge(settings, chosen.values), region_name: chosen.name }
}

/** The named region; of several, in a list or separated by commas, the first. */
function regionNamed(settings: Settings): string | null {
  const written = settings.region_name ?? settings['region-name']
  const first: Setting | undefined = Array.isArray(written) ? written[0] : written
  const name = typeof first === 'string' ? first.split(',')[0] : undefined
  return name === undefined || name === '' ? null : name
}

function regionsOf({ regions }: Settings): readonly { readonly name: string; readonly values: Settings }[] {
  const listed: readonly Setting[] = Array.isArray(regions) ? regions : []
  return listed.map(region =>
    isSettings(region)
      ? {
          name: typeof region.name === 'string' ? region.name : '',
          values: isSettings(region.values) ? region.values : {},
        }
      : { name: typeof region === 'string' ? region : '', values: {} },
  )
}

/** Settings may refer to others in braces: `https://{region_name}.example.org` (loader.py get_one). */
function filledIn(settings: Settings): Settings {
  const filled = (value: Setting): Setting =>
    typeof value !== 'string'
      ? value
      : value.replace(/\{(\w+)\}/g, (braces, name: string) => {
          const named = Object.hasOwn(settings, name) ? settings[name] : undefined
          return typeof named === 'string' ? named : braces
        })
  const all = Object.entries(settings).map(([key, value]) => [key, key === 'password' ? value : filled(value)] as const)
  const { auth } = settings
  if (!isSettings(auth) || auth.auth_url === undefined) return Object.fromEntries(all)
  return { ...Object.fromEntries(all), auth: { ...auth, auth_url: filled(auth.auth_url) } }
}
