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

/** More of a list than any text shows, and no more than a reader of a journal needs. */
const MOST_KEPT = 50

/** How many of a list a text shows, where it does not say otherwise. */
const FEW = 5

/** A list of names that may be long: the first, and how many there are. */
export type Names = { readonly names: readonly string[]; readonly total: number }

/** The same of what is more than a name. */
export type Items<Item> = { readonly items: readonly Item[]; readonly total: number }

/** Names as the value of a code. */
export function namesOf(names: readonly string[]): Names {
  return { names: names.slice(0, MOST_KEPT), total: names.length }
}

/** A list as the value of a code. */
export function itemsOf<Item>(items: readonly Item[]): Items<Item> {
  return { items: items.slice(0, MOST_KEPT), total: items.length }
}

/** `a, b, c, d, e and 47 more`: the first few names of a list. */
export function someNames({ names, total }: Names, most = FEW): string {
  const shown = names.slice(0, most)
  return total > shown.length ? `${shown.join(', ')} and ${total - shown.length} more` : shown.join(', ')
}

/** The same of what is more than a name, by a text for each. */
export function someItems<Item>({ items, total }: Items<Item>, textOf: (item: Item) => string, most = FEW): string {
  return someNames({ names: items.slice(0, most).map(textOf), total }, most)
}

/** A text that is part of another one: its code with its values, and its words. */
export type Within = { readonly code: string; readonly of: Values; readonly what: string }

/** The node that a step is about. */
export function nodeIn({ node }: Values): string {
  return String(node)
}

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
