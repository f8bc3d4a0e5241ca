import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'

type AddressFault = 'AddressHasFragment' | 'AddressHasUser' | 'AddressIncomplete' | 'AddressNotEncrypted'

/** Names of this machine: nothing sent there goes over a network. */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
}

/** An address that signals are sent to: https, or http on this machine; without a user, a password or a fragment. The failure does not repeat the address. */
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
