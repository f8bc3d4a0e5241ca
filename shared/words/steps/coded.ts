import type { Json } from '../../domain/json.ts'

/** The values of a code that its text names, as JSON. */
export type Values = { readonly [name: string]: Json }

/** The texts of codes of one kind: a function from values to text for each. Codes are stable (docs/terminal.md); texts may change. */
export type TextsOf<Text> = Readonly<Record<string, (values: never) => Text>>

/** A problem, and what an operator can do about it. */
export interface FaultText {
  readonly message: string
  readonly remedy: string
  /** Why nobody may override it: a phrase without a full stop; absent if an operator may. */
  readonly never?: string
}

export type StepTexts = Readonly<Record<string, StepText>>

export interface StepText {
  readonly title: (input: Values) => string
  /** Why the step exists, for the operator. */
  readonly why: string
  /** How to undo it; absent if the step only reads. */
  readonly undo?: string
}

export type OfNode = { readonly node: string }

export type OfHost = { readonly host: string }

export type OfCluster = { readonly cluster: string }

/** Names of instances are not unique in a cloud, ids are. */
export type OfInstance = { readonly name: string; readonly id: string }

/** A server by the name that messages use: `Nova at https://…`. */
export type OfServer = { readonly server: string }

export type OfPath = { readonly path: string }

export type OfRun = { readonly run: string }

export type OfRequest = { readonly request: string }

/** The namespace of a cloud that holds the objects of a runner. */
export type OfPlace = { readonly namespace: string; readonly by: string }

export type OfMachine = { readonly machine: string }

export type OfController = { readonly controller: string }

export type OfFile = { readonly file: string }

/** Why something failed, in the words of another program. */
export type Cause = { readonly cause: string }

/** `vm-01 (6f1c…)`. */
export function labelOf({ name, id }: OfInstance): string {
  return `${name} (${id})`
}

/** Longest list that a value keeps: enough for a reader of a journal. */
const MOST_KEPT = 50

/** Default length of a list in a text. */
const FEW = 5

/** A list of names that may be long: the first ones, and the total. */
export type Names = { readonly names: readonly string[]; readonly total: number }

export type Items<Item> = { readonly items: readonly Item[]; readonly total: number }

export function namesOf(names: readonly string[]): Names {
  return { names: names.slice(0, MOST_KEPT), total: names.length }
}

export function itemsOf<Item>(items: readonly Item[]): Items<Item> {
  return { items: items.slice(0, MOST_KEPT), total: items.length }
}

/** `a, b, c, d, e and 47 more` */
export function someNames({ names, total }: Names, most = FEW): string {
  const shown = names.slice(0, most)
  return total > shown.length ? `${shown.join(', ')} and ${total - shown.length} more` : shown.join(', ')
}

export function someItems<Item>({ items, total }: Items<Item>, textOf: (item: Item) => string, most = FEW): string {
  return someNames({ names: items.slice(0, most).map(textOf), total }, most)
}

/** The node of a step. */
export function nodeIn({ node }: Values): string {
  return String(node)
}

/** A result of a step: a code with values; `message` is its text. A finding may be a value of another code. */
export type Finding = {
  readonly code: string
  readonly values: Values
  readonly message: string
}

/** A request to another program, as a code of the calls. */
export type OfCall = { readonly call: Finding }

/** The values among the arguments of a text; empty for a text without values. */
export function valuesIn([values]: readonly [values?: object]): Values {
  return { ...values }
}

export function messagesOf(findings: readonly Finding[]): string {
  return findings.map(({ message }) => message).join(' ')
}
