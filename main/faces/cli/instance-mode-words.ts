import type { MaintenanceAction } from '../../../shared/domain/instance-tags.ts'

/** The words of the terminal for an instance's mark; `default` is none, and the mode of its host decides. */
export const MODE_WORDS = {
  live: ['live_migrate'],
  poweroff: ['poweroff'],
  notify: ['notify'],
  default: [],
} as const satisfies Readonly<Record<string, readonly MaintenanceAction[]>>

/** An instance's marks in words of the terminal; several are named as they stand, for none of them is followed. */
export function modeOfMarks(marks: readonly MaintenanceAction[]): string {
  const word = Object.entries(MODE_WORDS).find(
    ([, meant]) => meant.length === marks.length && meant.every(mark => marks.includes(mark)),
  )
  return word?.[0] ?? `several marks (${marks.join(', ')})`
}
