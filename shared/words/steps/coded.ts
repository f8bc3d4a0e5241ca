import type { Json } from '../../domain/json.ts'

/** The values of a code: what its text names, as JSON. */
export type Values = { readonly [name: string]: Json }

/** The texts of the codes of one kind: for each, how its values become one. A code is a stable name (docs/terminal.md); its text may change. */
export type TextsOf<Text> = Readonly<Record<string, (values: never) => Text>>

/** What is in the way, and what an operator can do about it. */
export interface FaultText {
  readonly message: string
  readonly remedy: string
  /** Why nobody may override it, where nobody may: a phrase without a full stop. */
  readonly never?: string
}

/** The words of the kinds of steps. */
export type StepTexts = Readonly<Record<string, StepText>>

/** The words of one kind of step. */
export interface StepText {
  readonly title: (input: Values) => string
  /** Why the step exists, for the operator. */
  readonly why: string
  /** How to undo it; absent: it only reads. */
  readonly undo?: string
}

/** The node that a step is about. */
export function nodeIn({ node }: Values): string {
  return String(node)
}

/** A list that may be long: the names that its text may show, and how many there are. */
export type Named = {
  readonly names: readonly string[]
  readonly total: number
}

const MOST_NAMES = 50

/** A list as a value. */
export function named(all: readonly string[]): Named {
  return { names: all.slice(0, MOST_NAMES), total: all.length }
}

/** `a, b, c and 4 more`: the first few of a list. */
export function someNamed({ names, total }: Named, most = MOST_NAMES): string {
  const shown = names.slice(0, most)
  return total > shown.length ? `${shown.join(', ')} and ${total - shown.length} more` : shown.join(', ')
}
