import { create } from 'zustand'

/** Whether main answers. While it does not, the page draws everything as old. */
export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  /** The connection broke at `since`; the page tries again at `nextTryAt`. */
  | { readonly kind: 'lost'; readonly since: string; readonly nextTryAt: string }
  | { readonly kind: 'ended'; readonly since: string; readonly why: string }
  /** The console answers, but this tab has no access: it needs a new address. `why` in whole sentences. */
  | { readonly kind: 'not-let-in'; readonly why: string }

interface ConnectionStore {
  readonly connection: Connection
}

/** Why this page can start or ask nothing now, in whole sentences; null if it can. */
export function whyCutOff({ connection }: ConnectionStore): string | null {
  switch (connection.kind) {
    case 'connecting':
    case 'connected':
      return null
    case 'lost':
      return 'The console does not answer. This page is old, and you cannot start anything from it.'
    case 'ended':
      return 'The console has ended. This page is old, and you cannot start anything from it.'
    case 'not-let-in':
      return 'This page has no access to the console. You cannot start anything from it.'
  }
}

/** The page's connection to main; only renderer/bridge writes it. */
export const useConnection = create<ConnectionStore>()(() => ({ connection: { kind: 'connecting' } }))
