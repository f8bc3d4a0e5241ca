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

/** What is about one host of Nova. */
export type OfHost = { readonly host: string }

/** What is about one cloud. */
export type OfCluster = { readonly cluster: string }

/** What is about one instance: names are not unique in a cloud, ids are. */
export type OfInstance = { readonly name: string; readonly id: string }

/** What is about one server, by the name that messages have for it: `Nova at https://…`. */
export type OfServer = { readonly server: string }

/** What is about one file or folder. */
export type OfPath = { readonly path: string }

/** What is about one run. */
export type OfRun = { readonly run: string }

/** What is about one maintenance request. */
export type OfRequest = { readonly request: string }

/** Where a runner's objects are: a namespace of a cluster. */
export type OfPlace = { readonly namespace: string; readonly by: string }

/** What is about one machine. */
export type OfMachine = { readonly machine: string }

/** What is about one controller. */
export type OfController = { readonly controller: string }

/** What is about one file that somebody names. */
export type OfFile = { readonly file: string }

/** Why something failed, in the words of another program. */
export type Cause = { readonly cause: string }

/** `vm-01 (6f1c…)`. */
export function labelOf({ name, id }: OfInstance): string {
  return `${name} (${id})`
}

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

/** The node that a step is about. */
export function nodeIn({ node }: Values): string {
  return String(node)
}

/** What a step found, by a code with values; `message` is its text. Where another code names it, it is one of that code's values. */
export type Finding = {
  readonly code: string
  readonly values: Values
  readonly message: string
}

/** What was asked of another program: a code of the calls. */
export type OfCall = { readonly call: Finding }

/** The values among the arguments of a text: none, where it takes none. */
export function valuesIn([values]: readonly [values?: object]): Values {
  return { ...values }
}

/** The texts of several findings, one after the other. */
export function messagesOf(findings: readonly Finding[]): string {
  return findings.map(({ message }) => message).join(' ')
}
