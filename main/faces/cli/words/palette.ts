/** Puts a colour or weight around text; the identity when colours are off. */
export type Paint = (text: string) => string

/** The few colours the terminal face uses, each with one meaning. */
export interface Palette {
  /** Holds, done. */
  readonly good: Paint
  /** Needs a look: warnings, overrides, waiting. */
  readonly warn: Paint
  /** Blocks or failed. */
  readonly bad: Paint
  /** The thing the line is about. */
  readonly strong: Paint
  /** What may be read later: reasons, times, headings of tables. */
  readonly faint: Paint
}

const same: Paint = text => text

/** No colours: not a terminal, `--no-color`, `NO_COLOR` or a dumb terminal. */
export const plainPalette: Palette = { good: same, warn: same, bad: same, strong: same, faint: same }

/** Colours of an ANSI terminal. */
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
