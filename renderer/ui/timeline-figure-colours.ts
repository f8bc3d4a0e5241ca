import type { NodeStage } from '../../shared/domain/update.ts'

/** The colour of a stage: properties of the theme, for the screen and the report. */
export const STAGE_COLOURS: Readonly<Record<NodeStage, string>> = {
  pending: 'var(--act-ignore)',
  requested: 'var(--act-ignore)',
  locks: 'var(--act-live_migrate)',
  draining: 'var(--act-live_migrate)',
  work: 'var(--maintenance)',
  returning: 'var(--verified)',
  done: 'var(--verified)',
  skipped: 'var(--act-ignore)',
  unseen: 'var(--act-ignore)',
}

/** The letter of a stage in a span that is too narrow for the word, so that colour is never the only sign. */
export const STAGE_LETTERS: Readonly<Record<NodeStage, string>> = {
  pending: '',
  requested: 'Q',
  locks: 'L',
  draining: 'D',
  work: 'W',
  returning: 'R',
  done: '',
  skipped: '',
  unseen: '',
}

/** The background of a span in its stage's colour. */
export function stageColour(stage: NodeStage): string {
  return `color-mix(in srgb, ${STAGE_COLOURS[stage]} 26%, var(--card))`
}
