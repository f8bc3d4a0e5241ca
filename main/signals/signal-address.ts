import { type Failure, failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'

/** Hosts that are this machine itself: nothing sent there goes over a network. */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
}

/** An address that signals are sent to: https, or http on this machine; without a user, a password or a fragment. The failure tells nothing of what was given. */
export function readSignalAddress(text: string, what: string): Result<URL> {
  const refuse = (why: string): { readonly ok: false; readonly failure: Failure } =>
    failed(failure('bad-input', `The address of ${what} ${why}`))
  let url: URL
  try {
    url = new URL(text.trim())
  } catch {
    return refuse('is none: give all of it, such as https://hooks.example.org/lockkeeper.')
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    return refuse('has to be https: what is sent is read on the way otherwise. http is for this machine alone.')
  }
  if (url.username !== '' || url.password !== '')
    return refuse('has a user or a password before its host. Leave them out.')
  if (url.hash !== '') return refuse('has a fragment (#…), which is never sent. Leave it out.')
  return ok(url)
}
