/** The names of power states in Nova's clients (nova/compute/power_state.py). */
const POWER_STATES: ReadonlyMap<number, string> = new Map([
  [0, 'NoState'],
  [1, 'Running'],
  [3, 'Paused'],
  [4, 'Shutdown'],
  [6, 'Crashed'],
  [7, 'Suspended'],
])

/** An unknown one by its number; null if Nova did not say. */
export function powerStateOf(state: number | null): string | null {
  return state === null ? null : (POWER_STATES.get(state) ?? String(state))
}
