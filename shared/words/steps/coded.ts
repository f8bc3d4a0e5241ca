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

/** What is about one node. */
export type OfNode = { readonly node: string }

/** The first of a list that may be long, and how many it has. */
export type Some<Item = string> = { readonly first: readonly Item[]; readonly total: number }

/** So many of a long list are values. */
const MOST_VALUES = 50

/** A list as a value: no more of it than a reader of a journal needs. */
export function some<Item>(list: readonly Item[]): Some<Item> {
  return { first: list.slice(0, MOST_VALUES), total: list.length }
}

/** `a, b, c and 4 more`, of a list of which only the first may be known. */
export function someText({ first, total }: Some, most = 5): string {
  const shown = first.slice(0, most)
  return total > shown.length ? `${shown.join(', ')} and ${total - shown.length} more` : shown.join(', ')
}

/** A text that is part of another one: its code with its values, and its words. */
export type Within = { readonly code: string; readonly of: Values; readonly what: string }

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

/** `a, b, c, d, e and 47 more`. */
export function someNames(list: Named): string {
  return someNamed(list, FEW)
}

const FEW = 5

/** Another text as a value: its code and what it names. */
export type Said = {
  readonly code: string
  readonly values: Values
  readonly message: string
}

/** Several of them, one after the other. */
export function textOf(said: readonly Said[]): string {
  return said.map(({ message }) => message).join(' ')
}

/** Without its full stop: to go on in another sentence. */
export function phraseOf(sentence: string): string {
  return sentence.replace(/\.$/, '')
}
