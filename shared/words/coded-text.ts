import type { Coded } from '../domain/coded.ts'

export type TextsOf<Values> = { readonly [Code in keyof Values]: (values: Values[Code]) => string }

export function textOf<Values, Code extends keyof Values>(texts: TextsOf<Values>, found: Coded<Values, Code>): string {
  return texts[found.code](found.values)
}
