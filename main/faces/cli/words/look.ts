import type { ClockChoice } from '../../../../shared/grammar/times.ts'
import { colourPalette, type Palette, plainPalette } from './palette.ts'
import { type Symbols, symbolsFor } from './symbols.ts'

/** How lines are drawn on one channel: everything a renderer may know about the terminal. */
export interface Look {
  /** Whether escape sequences may be written at all: colours, and redrawing. */
  readonly ansi: boolean
  readonly palette: Palette
  readonly symbols: Symbols
  /** Width of the terminal; null where nobody looks at a width (a file, a pipe), and nothing is shortened. */
  readonly columns: number | null
  /** By which clock times are written. */
  readonly clock: ClockChoice
}

/** The look of a channel: escape sequences only on a terminal that is not dumb and where neither `--no-color` nor NO_COLOR is set. */
export function lookOf(
  channel: { readonly isTTY: boolean; readonly columns: number },
  env: Readonly<Record<string, string | undefined>>,
  more: { readonly noColor: boolean; readonly clock: ClockChoice },
): Look {
  const noColour = more.noColor || (env.NO_COLOR !== undefined && env.NO_COLOR !== '')
  const ansi = channel.isTTY && !noColour && env.TERM !== 'dumb'
  return {
    ansi,
    palette: ansi ? colourPalette : plainPalette,
    symbols: symbolsFor(env),
    columns: channel.isTTY ? Math.max(40, channel.columns) : null,
    clock: more.clock,
  }
}
