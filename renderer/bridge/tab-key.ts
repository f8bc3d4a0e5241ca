/** Where a tab keeps its key: other tabs do not see it, a reload does. */
const KEPT_AS = 'lockkeeper-key'

/** The key with which this tab was let in; null: it was not. */
export function tabKey(): string | null {
  return window.sessionStorage.getItem(KEPT_AS)
}

/** The token of the printed address in which this tab was opened, taken out of the address; null: there is none. */
export function takeToken(): string | null {
  const { pathname, search, hash } = window.location
  const token = pathname === '/enter' ? new URLSearchParams(search).get('token') : null
  if (pathname === '/enter') window.history.replaceState(null, '', `/${hash}`)
  return token
}

/** Changes the token of a printed address into the key of this tab. Without an answer the tab keeps the key it had, if any. */
export async function enterWith(token: string): Promise<void> {
  try {
    const answer = await fetch('/enter', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    const given: unknown = answer.ok ? await answer.json() : null
    if (typeof given === 'object' && given !== null && 'key' in given && typeof given.key === 'string') {
      window.sessionStorage.setItem(KEPT_AS, given.key)
    }
  } catch {
    // The console is gone; connecting tells.
  }
}

/** Whether the console answers, but not to this tab. */
export async function isShutOut(): Promise<boolean> {
  try {
    const headers = { authorization: `Bearer ${tabKey() ?? ''}` }
    return (await fetch('/session', { headers, cache: 'no-store' })).status === 403
  } catch {
    return false
  }
}
