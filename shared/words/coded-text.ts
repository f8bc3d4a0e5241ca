import type { Coded } from '../domain/coded.ts'

/** The text of each code of a kind, made of its values. */
export type TextsOf<Values> = { readonly [Code in keyof Values]: (values: Values[Code]) => string }

/** The text of what was found. */
export function textOf<Values, Code extends keyof Values>(texts: TextsOf<Values>, found: Coded<Values, Code>): string {
  return texts[found.code](found.values)
}
