import { create } from 'zustand'

/** Whether main is there. What is drawn while it is not is old, and is drawn so. */
export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  /** It broke at `since`; it is tried again by itself at `nextTryAt`. */
  | { readonly kind: 'lost'; readonly since: string; readonly nextTryAt: string }
  /** The console was stopped on purpose. */
  | { readonly kind: 'ended'; readonly since: string; readonly why: string }
  /** The console answers, but not this tab: it needs a fresh address. `why` in whole sentences. */
  | { readonly kind: 'not-let-in'; readonly why: string }

interface ConnectionStore {
  readonly connection: Connection
}

/** Why nothing can be begun or asked from this page, in whole sentences; null: it can. What is drawn then is of the past. */
export function whyCutOff({ connection }: ConnectionStore): string | null {
  switch (connection.kind) {
    case 'connecting':
    case 'connected':
      return null
    case 'lost':
      return 'The console does not answer: what is shown is old, and nothing can be begun from it.'
    case 'ended':
      return 'The console is gone: what is shown is old, and nothing can be begun from it.'
    case 'not-let-in':
      return 'The console does not let this page in: nothing can be begun from it.'
  }
}

/** The page's connection to main; written by renderer/bridge alone. */
export const useConnection = create<ConnectionStore>()(() => ({ connection: { kind: 'connecting' } }))
