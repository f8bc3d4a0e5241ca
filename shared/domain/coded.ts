/** Each code with its values, as one of a union: what a rule answers. Its text is made in shared/words. */
export type Coded<Values, Code extends keyof Values = keyof Values> = {
  readonly [Each in Code]: { readonly code: Each; readonly values: Values[Each] }
}[Code]
