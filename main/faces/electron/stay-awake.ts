import type { PowerSaveBlocker } from 'electron'

/** Keeps the machine from suspending while this process has active runs; call the result whenever they change. */
export function stayAwake(blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>): (active: readonly string[]) => void {
  let held: number | null = null
  return active => {
    if (active.length > 0 && held === null) held = blocker.start('prevent-app-suspension')
    if (active.length === 0 && held !== null) {
      blocker.stop(held)
      held = null
    }
  }
}
