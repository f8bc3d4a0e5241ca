import { AS_KUBECTL, readYamlText } from '../files/yaml-text.ts'

/** Keys of a Secret that are files beside its clouds.yaml, which may name them: a private authority, and a client certificate with its key. */
export const CERTIFICATE_KEYS = ['ca.crt', 'tls.crt', 'tls.key'] as const

/** A field of credentials that would have the runner read a file of its own pod, or run a command there: where it stands, why not, and what to do. */
interface OwnReach {
  readonly field: string
  readonly why: string
  readonly instead: string
}

/** Fields of a kubeconfig that reach into the pod, and what stands for them. */
const OF_KUBECONFIG: readonly {
  readonly list: 'users' | 'clusters'
  readonly within: 'user' | 'cluster'
  readonly field: string
  readonly does: 'reads a file' | 'runs a command' | 'signs in through a plugin'
  readonly instead: string
}[] = [
  {
    list: 'users',
    within: 'user',
    field: 'tokenFile',
    does: 'reads a file',
    instead: 'Give the token of a ServiceAccount as token',
  },
  {
    list: 'users',
    within: 'user',
    field: 'client-certificate',
    does: 'reads a file',
    instead: 'Give client-certificate-data',
  },
  { list: 'users', within: 'user', field: 'client-key', does: 'reads a file', instead: 'Give client-key-data' },
  {
    list: 'users',
    within: 'user',
    field: 'exec',
    does: 'runs a command',
    instead: 'Give the token of a ServiceAccount as token',
  },
  {
    list: 'users',
    within: 'user',
    field: 'auth-provider',
    does: 'signs in through a plugin',
    instead: 'Give the token of a ServiceAccount as token',
  },
  {
    list: 'clusters',
    within: 'cluster',
    field: 'certificate-authority',
    does: 'reads a file',
    instead: 'Give certificate-authority-data',
  },
]

/**
 * The first field of a kubeconfig that reaches into the runner's pod; null: none does. Whoever may write a Secret of a cloud need not be allowed to read
 * the files of the pod, among which is the token of its ServiceAccount: such a path would send it to a server of theirs. `kubectl config view --raw
 * --flatten` makes a kubeconfig without paths. What is no YAML is told by who reads it.
 */
export function reachOfKubeconfig(text: string): OwnReach | null {
  const read = readYamlText(text, AS_KUBECTL)
  const document = read.ok ? read.value : null
  for (const { list, within, field, does, instead } of OF_KUBECONFIG) {
    const entries = heldUnder(document, list)
    const at = Array.isArray(entries)
      ? entries.findIndex(entry => isSaid(heldUnder(heldUnder(entry, within), field)))
      : -1
    if (at < 0) continue
    return { field: `kubeconfig: ${list}[${at}].${within}.${field}`, why: `${does} of the runner's pod`, instead }
  }
  return null
}

const PATHS_OF_CLOUD: ReadonlySet<string> = new Set(['cacert', 'cert', 'key', 'verify'])

/** The first field of a clouds.yaml that names a file which is none of its Secret's (`beside`); null: none does. */
export function reachOfClouds(text: string, beside: readonly string[]): OwnReach | null {
  const read = readYamlText(text, { textOnly: true, mayRepeatKeys: true })
  const found = read.ok ? pathIn(heldUnder(read.value, 'clouds'), ['clouds'], beside) : null
  if (found === null) return null
  return {
    field: `clouds.yaml: ${found}`,
    why: "names a file of the runner's pod",
    instead: `Put the file into this Secret as ${CERTIFICATE_KEYS.join(', ')}, and name it by that key`,
  }
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

/** `verify` is a truth too, for which it need not be a path. */
function isPath(key: string, held: unknown): boolean {
  if (typeof held !== 'string' || held === '' || held === '~' || held === 'null') return false
  return key !== 'verify' || !/^(true|yes|on|1|false|no|off|0)$/i.test(held)
}

function heldUnder(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Readonly<Record<string, unknown>>)[key]
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
