import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { AS_KUBECTL, readYamlText } from '../../platform/files/yaml-text.ts'

/** Keys of a Secret with files that its clouds.yaml may name: a private authority, and a client certificate with its key. */
export const CERTIFICATE_KEYS = ['ca.crt', 'tls.crt', 'tls.key'] as const

/** Fields of a kubeconfig that read files or run programs in the pod, and the field to use instead. */
const OF_KUBECONFIG: readonly {
  readonly list: 'users' | 'clusters'
  readonly within: 'user' | 'cluster'
  readonly field: string
  readonly does: 'KubeconfigReadsFile' | 'KubeconfigRunsCommand' | 'KubeconfigUsesPlugin'
  readonly instead: string
}[] = [
  { list: 'users', within: 'user', field: 'tokenFile', does: 'KubeconfigReadsFile', instead: 'token' },
  {
    list: 'users',
    within: 'user',
    field: 'client-certificate',
    does: 'KubeconfigReadsFile',
    instead: 'client-certificate-data',
  },
  { list: 'users', within: 'user', field: 'client-key', does: 'KubeconfigReadsFile', instead: 'client-key-data' },
  { list: 'users', within: 'user', field: 'exec', does: 'KubeconfigRunsCommand', instead: 'token' },
  { list: 'users', within: 'user', field: 'auth-provider', does: 'KubeconfigUsesPlugin', instead: 'token' },
  {
    list: 'clusters',
    within: 'cluster',
    field: 'certificate-authority',
    does: 'KubeconfigReadsFile',
    instead: 'certificate-authority-data',
  },
]

/**
 * The first field of a kubeconfig that reads a file or runs a program in the runner's pod; null if no field does. The author of a cloud's Secret may have no
 * right to read files of the pod, such as the token of its ServiceAccount, and such a path would send it to the author's server. `kubectl config view --raw
 * --flatten` makes a kubeconfig without paths. Invalid YAML is reported by its reader.
 */
export function podAccessOfKubeconfig(text: string): Finding | null {
  const read = readYamlText(text, AS_KUBECTL)
  const document = read.ok ? read.value : null
  for (const { list, within, field, does, instead } of OF_KUBECONFIG) {
    const entries = heldUnder(document, list)
    const at = Array.isArray(entries)
      ? entries.findIndex(entry => isSet(heldUnder(heldUnder(entry, within), field)))
      : -1
    if (at < 0) continue
    return because(does, { place: `${list}[${at}].${within}.${field}`, instead })
  }
  return null
}

const PATHS_OF_CLOUD: ReadonlySet<string> = new Set(['cacert', 'cert', 'key', 'verify'])

/** The first field of a clouds.yaml that names a file outside its Secret (`beside`: the files of the Secret); null if no field does. */
export function podAccessOfClouds(text: string, beside: readonly string[]): Finding | null {
  const read = readYamlText(text, { textOnly: true, mayRepeatKeys: true })
  const found = read.ok ? pathIn(heldUnder(read.value, 'clouds'), ['clouds'], beside) : null
  return found === null ? null : because('CloudsYamlNamesFile', { place: found, keys: CERTIFICATE_KEYS })
}

function pathIn(value: unknown, at: readonly string[], beside: readonly string[]): string | null {
  if (typeof value !== 'object' || value === null) return null
  for (const [key, held] of Object.entries(value)) {
    const place = [...at, key]
    if (PATHS_OF_CLOUD.has(key) && isPath(key, held) && !beside.includes(String(held))) return place.join('.')
    const below = pathIn(held, place, beside)
    if (below !== null) return below
  }
  return null
}

/** `verify` may also be true or false, which is not a path. */
function isPath(key: string, held: unknown): boolean {
  if (typeof held !== 'string' || held === '' || held === '~' || held === 'null') return false
  return key !== 'verify' || !/^(true|yes|on|1|false|no|off|0)$/i.test(held)
}

function heldUnder(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<string, unknown>>)[key]
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
