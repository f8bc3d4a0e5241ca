import type { Command } from '../command.ts'

/** What a flag takes: nothing (a switch), one value of a kind, or an optional value written with `=`. */
type FlagValue =
  | { readonly kind: 'switch' }
  | { readonly kind: 'text'; readonly placeholder: string }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** `--flag` alone means `bare`; a word after it is never its value. */
  | { readonly kind: 'optional-choice'; readonly choices: readonly string[]; readonly bare: string }
  | { readonly kind: 'count'; readonly placeholder: string; readonly least: number; readonly most: number }
  | { readonly kind: 'duration'; readonly placeholder: string }

export interface FlagSpec {
  /** Without the dashes: `data-dir`. */
  readonly name: string
  /** One letter without the dash. */
  readonly short?: string
  readonly value: FlagValue
  readonly repeatable?: boolean
  readonly help: string
}

export interface OperandSpec {
  readonly name: string
  readonly required: boolean
  /** Takes one word or more; operands after it take the last words. A command has at most one. */
  readonly several?: true
  /** The only words it may be. */
  readonly choices?: readonly string[]
  /** Accepts a MaintenanceRun that has not started, as well as a run. */
  readonly asked?: true
  readonly help: string
}

/** Where the flags and the examples of a wing belong among those of a command of the core. */
export interface FlagSlot {
  readonly slot: 'in-cluster'
}

/** A command of the core, before the wings put in what is theirs. */
export type CommandOutline = Omit<CommandSpec, 'flags' | 'examples'> & {
  readonly flags: readonly (FlagSpec | FlagSlot)[]
  readonly examples: readonly (string | FlagSlot)[]
}

/** What a wing puts in at a slot: flags, and examples that use them. */
export type SlotFillings = Readonly<
  Record<FlagSlot['slot'], { readonly flags: readonly FlagSpec[]; readonly examples: readonly string[] }>
>

/** One command of the terminal face; main/compose/terminal/command-table.ts lists all. */
export interface CommandSpec {
  readonly path: readonly string[]
  readonly summary: string
  readonly about: readonly string[]
  readonly operands: readonly OperandSpec[]
  readonly flags: readonly FlagSpec[]
  readonly examples: readonly string[]
  /** `contract`: it talks to the application. `reading`: to the half that only reads. `nothing`: it builds what it needs itself. */
  readonly needs: 'contract' | 'reading' | 'nothing'
  /** Loads its code, so that help and usage never wait for it. */
  readonly load: () => Promise<Command>
}
