import { SILENT_MS } from '../../shared/contract/socket.ts'

/** A tab keeps its key here: a reload keeps it, other tabs do not see it. */
const KEPT_AS = 'lockkeeper-key'

/** The key of this tab; null if it has no access. */
export function tabKey(): string | null {
  return window.sessionStorage.getItem(KEPT_AS)
}

/** Takes the token out of the printed address with which this tab was opened; null if there is none. */
export function takeToken(): string | null {
  const { pathname, search, hash } = window.location
  const token = pathname === '/enter' ? new URLSearchParams(search).get('token') : null
  if (pathname === '/enter') window.history.replaceState(null, '', `/${hash}`)
  return token
}

/** Exchanges the token of a printed address for the key of this tab. Without an answer the tab keeps its old key. */
export async function enterWith(token: string): Promise<void> {
  try {
    const answer = await fetch('/enter', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    const given: unknown = answer.ok ? await answer.json() : null
    if (typeof given === 'object' && given !== null && 'key' in given && typeof given.key === 'string') {
      window.sessionStorage.setItem(KEPT_AS, given.key)
    }
  } catch {
    // The console does not answer; the connection reports it.
  }
}

/** Whether the console answers, but not to this tab. */
export async function isShutOut(): Promise<boolean> {
  try {
    const headers = { authorization: `Bearer ${tabKey() ?? ''}` }
    const signal = AbortSignal.timeout(SILENT_MS)
    return (await fetch('/session', { headers, cache: 'no-store', signal })).status === 403
  } catch {
    return false
  }
}
