import { create } from 'zustand'

/** Whether main is there. What is drawn while it is not is old, and is drawn so. */
export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  /** It broke at `since`; it is tried again by itself at `nextTryAt`. */
  | { readonly kind: 'lost'; readonly since: string; readonly nextTryAt: string }
  /** The console was stopped on purpose, or this browser is no longer let in: a reload is needed, with a fresh address. */
  | { readonly kind: 'ended'; readonly since: string; readonly why: string }

interface ConnectionStore {
  readonly connection: Connection
}

/** The page's connection to main; written by renderer/bridge alone. */
export const useConnection = create<ConnectionStore>()(() => ({ connection: { kind: 'connecting' } }))
