import { dirname, resolve } from 'node:path'
import type { CloudSource } from '../../shared/domain/cluster.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import type { EndpointInterface, ResolvedCloud } from '../adapters/openstack/resolved-cloud.ts'
import { kindAt } from '../platform/files/named-file.ts'
import { isContents } from '../platform/files/pasted-contents.ts'
import { readCredentials } from './cloud-credentials.ts'
import { type CloudSettings, readCloudSettings } from './cloud-settings.ts'
import type { Setting, Settings } from './clouds-files.ts'
import type { FilePlaces } from './file-places.ts'

/** Reads credentials and connection settings of a cloud from its files, each time. Failures name file, cloud and key, never a value. */
export async function resolveCloud(source: CloudSource, places: FilePlaces): Promise<Result<ResolvedCloud>> {
  const read = await readCloudSettings(source.path, source.cloud, places)
  if (!read.ok) return read
  const { settings } = read.value
  const keyOf = (key: string) => ({ cloud: source.cloud, file: source.path, key })
  const trouble = (why: Finding) => failed(refusal('bad-input', why, { target: source.path }))

  const auth = readCredentials(read.value, source.cloud)
  if (!auth.ok) return auth
  const { authUrl, credentials } = auth.value
  if (!/^https?:$/.test(URL.parse(authUrl)?.protocol ?? '')) {
    return trouble(because('CloudAuthUrlUnusable', { cloud: source.cloud, file: source.path }))
  }
  const verify = verification(settings)
  if (!verify.ok) return trouble(because('CloudVerifyUnknown', keyOf(verify.key)))
  const faces = interfacesOf(settings)
  if (faces === null) return trouble(because('CloudInterfaceUnknown', keyOf('interface')))
  const files = filesOf(settings, verify.caFile, read.value, places)
  for (const { key, path } of files) {
    if (path === null || (await kindAt(path)) !== 'absent') continue
    return trouble(
      isContents(path)
        ? because('CloudFileHasContents', keyOf(key))
        : because('CloudFileAbsent', { ...keyOf(key), path }),
    )
  }
  const pathOf = (key: string) => files.find(file => file.key === key)?.path ?? null
  const cert = pathOf('cert')
  const newest = text(settings, 'compute_default_microversion')
  return ok({
    name: source.cloud,
    authUrl,
    auth: credentials,
    regionName: text(settings, 'region_name'),
    ...faces,
    caCertPath: pathOf('cacert'),
    insecure: verify.insecure,
    clientCert: cert === null ? null : { certPath: cert, keyPath: pathOf('key') },
    endpointOverrides: endpointOverrides(settings),
    ...ofServices(settings),
    ...(newest !== null && /^2\.\d+$/.test(newest) ? { computeMaxMicroversion: newest } : {}),
  })
}

export function secretsIn({ auth }: ResolvedCloud): readonly string[] {
  return [auth.kind === 'password' ? auth.password : auth.kind === 'token' ? auth.token : auth.secret]
}

export function text(settings: Settings, key: string): string | null {
  for (const name of [key, key.replaceAll('_', '-')]) {
    const value = Object.hasOwn(settings, name) ? settings[name] : undefined
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}

function truth(value: string): boolean | null {
  if (/^(true|yes|on|1)$/i.test(value)) return true
  if (/^(false|no|off|0)$/i.test(value)) return false
  return null
}

type Verification =
  | { readonly ok: true; readonly insecure: boolean; readonly caFile: string | null }
  | { readonly ok: false; readonly key: 'verify' | 'insecure' }

/** `insecure: true` or `verify: false` disables verification; `verify` may also name a CA file (requests). */
function verification(settings: Settings): Verification {
  const cacert = text(settings, 'cacert')
  const insecureText = text(settings, 'insecure')
  const insecure = insecureText === null ? false : truth(insecureText)
  if (insecure === null) return { ok: false, key: 'insecure' }
  const verifyText = text(settings, 'verify')
  const verify = verifyText === null ? true : truth(verifyText)
  if (verify === null) {
    return verifyText !== null && /[/.]/.test(verifyText)
      ? { ok: true, insecure, caFile: cacert ?? verifyText }
      : { ok: false, key: 'verify' }
  }
  return { ok: true, insecure: insecure || !verify, caFile: cacert }
}

function interfacesOf(settings: Settings): Pick<ResolvedCloud, 'interface' | 'otherInterfaces'> | null {
  const list = settings.interface
  const named = text(settings, 'endpoint_type') ?? text(settings, 'interface')
  const wanted: readonly Setting[] = Array.isArray(list) ? list : [named ?? 'public']
  const [first, ...others] = wanted.map(faceNamed).filter(face => face !== null)
  if (first === undefined) return null
  return { interface: first, ...(others.length === 0 ? {} : { otherInterfaces: others }) }
}

function faceNamed(written: Setting): EndpointInterface | null {
  const named = typeof written === 'string' ? written.replace(/URL$/, '') : ''
  return named === 'public' || named === 'internal' || named === 'admin' ? named : null
}

/** `compute_region_name` and `compute_interface`: settings of one service. */
function ofServices(settings: Settings): Pick<ResolvedCloud, 'ofServices'> {
  const found = new Map<string, { readonly region?: string; readonly interface?: EndpointInterface }>()
  for (const [key, value] of Object.entries(settings)) {
    const ofRegion = /^(.+)[-_]region[-_]name$/.exec(key)?.[1]
    const type = ofRegion ?? /^(.+)[-_](?:interface|endpoint[-_]type)$/.exec(key)?.[1]
    if (type === undefined || typeof value !== 'string' || value === '') continue
    const service = type.replaceAll('_', '-')
    const face = faceNamed(value)
    const said = ofRegion !== undefined ? { region: value } : face === null ? {} : { interface: face }
    found.set(service, { ...found.get(service), ...said })
  }
  return found.size === 0 ? {} : { ofServices: Object.fromEntries(found) }
}

interface NamedFile {
  readonly key: string
  readonly path: string | null
}

/** Paths are relative to the folder of clouds.yaml, so that a session does not depend on the current directory. */
function filesOf(
  settings: Settings,
  caFile: string | null,
  { cloudsFile }: CloudSettings,
  { home }: FilePlaces,
): readonly NamedFile[] {
  const absolute = (path: string | null) =>
    path === null ? null : resolve(dirname(cloudsFile), path.replace(/^~(?=\/|$)/, home))
  return [
    { key: 'cacert', path: absolute(caFile) },
    { key: 'cert', path: absolute(text(settings, 'cert')) },
    { key: 'key', path: absolute(text(settings, 'key')) },
  ]
}

/** `compute_endpoint_override: http://…` under the type in the catalogue: `compute`, `block-storage`. */
function endpointOverrides(settings: Settings): Readonly<Record<string, string>> {
  const endingIn = (ending: RegExp) =>
    Object.entries(settings).flatMap(([key, value]) =>
      ending.test(key) && typeof value === 'string' && value !== ''
        ? [[key.replace(ending, '').replaceAll('_', '-'), value] as const]
        : [],
    )
  // The older name applies if the newer one is absent.
  return Object.fromEntries([...endingIn(/[-_]endpoint$/), ...endingIn(/[-_]endpoint[-_]override$/)])
}
