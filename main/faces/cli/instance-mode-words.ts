import type { MaintenanceAction } from '../../../shared/domain/instance-tags.ts'

/** The terminal's words for an instance's mode; `default`: the mode of its host decides. */
export const MODE_WORDS = {
  live: ['live_migrate'],
  poweroff: ['poweroff'],
  notify: ['notify'],
  default: [],
} as const satisfies Readonly<Record<string, readonly MaintenanceAction[]>>

/** An instance's tags as a mode; several contradicting tags are listed, because none of them counts. */
export function modeOfMarks(marks: readonly MaintenanceAction[]): string {
  const word = Object.entries(MODE_WORDS).find(
    ([, meant]) => meant.length === marks.length && meant.every(mark => marks.includes(mark)),
  )
  return word?.[0] ?? `several tags (${marks.join(', ')})`
}
