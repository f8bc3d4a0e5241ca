/** Adds a colour or weight to a text; returns it unchanged when colours are off. */
export type Paint = (text: string) => string

/** The colours of the terminal face, each with one meaning. */
export interface Palette {
  /** Passed, done. */
  readonly good: Paint
  /** Needs attention: warnings, overrides, waiting. */
  readonly warn: Paint
  /** Blocks or failed. */
  readonly bad: Paint
  /** The subject of the line. */
  readonly strong: Paint
  /** Less important: reasons, times, table headings. */
  readonly faint: Paint
}

const same: Paint = text => text

/** No colours: no terminal, `--no-color`, `NO_COLOR` or a dumb terminal. */
export const plainPalette: Palette = { good: same, warn: same, bad: same, strong: same, faint: same }

export const colourPalette: Palette = {
  good: sgr(32),
  warn: sgr(33),
  bad: sgr(31),
  strong: sgr(1),
  faint: sgr(2),
}

function sgr(code: number): Paint {
  return text => (text === '' ? '' : `\u001b[${code}m${text}\u001b[0m`)
}
