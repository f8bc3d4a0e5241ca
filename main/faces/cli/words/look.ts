import type { ClockChoice } from '../../../../shared/grammar/times.ts'
import { colourPalette, type Palette, plainPalette } from './palette.ts'
import { type Symbols, symbolsFor } from './symbols.ts'

/** What a renderer knows about the terminal. */
export interface Look {
  /** Whether escape sequences are allowed: colours and redrawing. */
  readonly ansi: boolean
  readonly palette: Palette
  readonly symbols: Symbols
  /** Width of the terminal; null for a file or a pipe, where nothing is shortened. */
  readonly columns: number | null
  readonly clock: ClockChoice
}

/** Escape sequences only on a terminal that is not dumb, without `--no-color` and NO_COLOR. */
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
