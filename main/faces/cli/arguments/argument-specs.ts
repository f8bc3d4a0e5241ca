import type { Command } from '../command.ts'

/** What a flag takes: nothing (a switch), one value of a kind, or a value only when it is written with `=`. */
type FlagValue =
  | { readonly kind: 'switch' }
  | { readonly kind: 'text'; readonly placeholder: string }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** `--flag` alone means `bare`; a word after it is never its value. */
  | { readonly kind: 'optional-choice'; readonly choices: readonly string[]; readonly bare: string }
  | { readonly kind: 'count'; readonly placeholder: string; readonly least: number; readonly most: number }
  | { readonly kind: 'duration'; readonly placeholder: string }

/** One flag of a command, or of all commands. */
export interface FlagSpec {
  /** Without the dashes: `data-dir`. */
  readonly name: string
  /** One letter without the dash. */
  readonly short?: string
  readonly value: FlagValue
  /** May be given more than once. */
  readonly repeatable?: boolean
  readonly help: string
}

/** A positional argument. */
export interface OperandSpec {
  readonly name: string
  readonly required: boolean
  /** Takes one word or more; what follows it in the table takes the last words. One of a command at most. */
  readonly several?: true
  /** The only words it may be. */
  readonly choices?: readonly string[]
  /** A run that may also be a MaintenanceRun that is not begun. */
  readonly asked?: true
  readonly help: string
}

/** One command of the terminal face; the table of them is command-table.ts. */
export interface CommandSpec {
  readonly path: readonly string[]
  readonly summary: string
  /** Paragraphs of its help. */
  readonly about: readonly string[]
  readonly operands: readonly OperandSpec[]
  readonly flags: readonly FlagSpec[]
  readonly examples: readonly string[]
  /** Whether it talks to the application, or (the demo's own) builds what it needs itself. */
  readonly needs: 'contract' | 'nothing'
  /** Loads its code: the help and usage of a command never wait for it. */
  readonly load: () => Promise<Command>
}
