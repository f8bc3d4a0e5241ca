/** Nova's power states as its clients call the numbers (nova/compute/power_state.py): the codes that reports carry. */
const POWER_STATES: ReadonlyMap<number, string> = new Map([
  [0, 'NoState'],
  [1, 'Running'],
  [3, 'Paused'],
  [4, 'Shutdown'],
  [6, 'Crashed'],
  [7, 'Suspended'],
])

/** A power state by its name; one that is not known by its number; null: Nova could not tell. */
export function powerStateOf(state: number | null): string | null {
  return state === null ? null : (POWER_STATES.get(state) ?? String(state))
}
