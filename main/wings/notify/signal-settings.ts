import { isAbsolute } from 'node:path'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { SignalEndpoint } from '../../../shared/domain/signals.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { SignalSecrets } from '../../clusters/signal-secrets.ts'

/** Secrets of a cluster by part; null deletes one. Parts that are not named stay. */
export type SecretChanges = ReadonlyMap<string, string | null>

type UnfitEndpoint =
  | 'SecretWithoutLogin'
  | 'AddressHasQuery'
  | 'CaFileNotAbsolute'
  | 'SecretOfOtherAddress'
  | 'SecretHasLineBreak'

type AddressFault = 'AddressHasFragment' | 'AddressHasUser' | 'AddressIncomplete' | 'AddressNotEncrypted'

interface SignalSystem {
  readonly system: string
  /** Where the vault keeps its secret. */
  readonly part: string
  /** The current setting; null if it is not set. */
  readonly earlier: SignalEndpoint | null
}

/** The settings of a system and its secret, once all are valid. A stored secret goes only to the host that it was given for. */
export function readEndpoint(
  cluster: string,
  { system, part, earlier }: SignalSystem,
  endpoint: SignalEndpoint | null,
  secret: string | null,
  secrets: Pick<SignalSecrets, 'read'>,
): Result<{ readonly endpoint: SignalEndpoint | null; readonly changes: SecretChanges }> {
  const refuse = (why: UnfitEndpoint) =>
    failed(refusal('bad-input', because(why, { system, cluster }), { target: `cluster/${cluster}` }))
  const isOpen = endpoint === null || endpoint.login.kind === 'none'
  if (isOpen && secret !== null) return refuse('SecretWithoutLogin')
  if (endpoint === null) return ok({ endpoint, changes: new Map([[part, null]]) })
  const url = readSignalAddress(endpoint.url, `${system} of ${cluster}`)
  if (!url.ok) return url
  if (url.value.search !== '') return refuse('AddressHasQuery')
  if (endpoint.caFile !== null && !isAbsolute(endpoint.caFile)) return refuse('CaFileNotAbsolute')
  if (!isOpen && secret === null) {
    const kept = secrets.read(cluster, part)
    if (!kept.ok) return kept
    if (earlier === null || new URL(earlier.url).origin !== url.value.origin) return refuse('SecretOfOtherAddress')
  }
  if (secret !== null && (secret === '' || /[\r\n]/.test(secret))) return refuse('SecretHasLineBreak')
  const changes: SecretChanges = isOpen || secret !== null ? new Map([[part, secret]]) : new Map()
  return ok({ endpoint: { ...endpoint, url: url.value.href.replace(/\/+$/, '') }, changes })
}

/** The address of a receiver: https, or http on this machine; without a user, a password or a fragment. A failure does not repeat it. */
export function readSignalAddress(text: string, system: string): Result<URL> {
  const refuse = (code: AddressFault) => failed(refusal('bad-input', because(code, { system })))
  let url: URL
  try {
    url = new URL(text.trim())
  } catch {
    return refuse('AddressIncomplete')
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    return refuse('AddressNotEncrypted')
  }
  if (url.username !== '' || url.password !== '') return refuse('AddressHasUser')
  if (url.hash !== '') return refuse('AddressHasFragment')
  return ok(url)
}

/** Names of this machine: no message to it goes over a network. */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
}

/**
 * Stores secrets, then the settings that name their destination. If that fails, it restores the secrets, so that no secret goes to the wrong
 * address. A secret sealed by another face cannot be restored and must be entered again.
 */
export function changeSecrets<T>(
  secrets: Pick<SignalSecrets, 'keep' | 'read' | 'forget'>,
  cluster: string,
  changes: SecretChanges,
  keepRest: () => Result<T>,
): Result<T> {
  const earlier = new Map<string, string | null>()
  const putBack = () => {
    for (const [part, secret] of earlier) {
      if (secret === null || !secrets.keep(cluster, part, secret).ok) secrets.forget(cluster, part)
    }
  }
  for (const [part, secret] of changes) {
    if (secret === null) continue
    const before = secrets.read(cluster, part)
    const kept = secrets.keep(cluster, part, secret)
    if (!kept.ok) {
      putBack()
      return kept
    }
    earlier.set(part, before.ok ? before.value : null)
  }
  const done = keepRest()
  if (!done.ok) {
    putBack()
    return done
  }
  for (const [part, secret] of changes) if (secret === null) secrets.forget(cluster, part)
  return done
}
