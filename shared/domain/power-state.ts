/** Names of Nova's power states in its clients (nova/compute/power_state.py): the codes in reports. */
const POWER_STATES: ReadonlyMap<number, string> = new Map([
  [0, 'NoState'],
  [1, 'Running'],
  [3, 'Paused'],
  [4, 'Shutdown'],
  [6, 'Crashed'],
  [7, 'Suspended'],
])

/** The name of a power state; an unknown one by its number; null: Nova did not say. */
export function powerStateOf(state: number | null): string | null {
  return state === null ? null : (POWER_STATES.get(state) ?? String(state))
}
