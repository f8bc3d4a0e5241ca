import { create } from 'zustand'

/** A message that needs no decision. */
export interface Toast {
  readonly id: number
  readonly at: string
  readonly tone: 'plain' | 'good' | 'caution'
  readonly text: string
  /** Whether the bell lists it too. The bell lists ended runs itself. */
  readonly isListed: boolean
  readonly action: { readonly text: string; readonly run: () => void } | null
}

interface ToastStore {
  /** Newest last. */
  readonly said: readonly Toast[]
  /** Those still on screen. */
  readonly shown: readonly number[]
}

const KEPT = 50
const SHOWN = 3

export const useToasts = create<ToastStore>()(() => ({ said: [], shown: [] }))

let ids = 0

/** Shows a message that needs no decision; it disappears after a while and stays in the list of messages. Returns its id. */
export function showToast(toast: {
  readonly text: string
  readonly tone?: Toast['tone']
  readonly isListed?: boolean
  readonly action?: Toast['action']
}): number {
  ids += 1
  const id = ids
  const entry: Toast = {
    id,
    at: new Date().toISOString(),
    tone: toast.tone ?? 'plain',
    text: toast.text,
    isListed: toast.isListed ?? true,
    action: toast.action ?? null,
  }
  useToasts.setState(({ said, shown }) => ({
    said: [...said, entry].slice(-KEPT),
    shown: [...shown, id].slice(-SHOWN),
  }))
  return id
}

/** Removes one from the screen; it stays in the list. */
export function dismissToast(id: number): void {
  useToasts.setState(({ shown }) => ({ shown: shown.filter(other => other !== id) }))
}
