/** Tags a value with its model, for the compiler only. */
declare const MODEL: unique symbol

/** Carries a generated model of @kubernetes/client-node, for the compiler only. */
export type OfModel<M> = {
  [MODEL]?(of: M): M
}

/** A JSON object whose field names come from a model (`V1NodeSpec`): others do not compile. Values stay unknown until a reader checks them. */
export type Fields<M = unknown> = OfModel<M> & { readonly [K in NameOf<M>]?: unknown }

type Kind<T> = 0 extends 1 & T
  ? never
  : T extends string | Date
    ? 'text'
    : T extends number
      ? 'number'
      : T extends boolean
        ? 'flag'
        : T extends readonly unknown[]
          ? 'list'
          : 'object'

/** The models prefix JavaScript keywords with an underscore (`_continue`). */
type JsonName<K> = K extends `_${infer Name}` ? Name : K

export type NameOf<M> = unknown extends M ? string : JsonName<keyof M & string>

export type NameOfKind<M, K extends 'text' | 'number' | 'flag' | 'list' | 'object'> = unknown extends M
  ? string
  : { [F in keyof M & string]: [Kind<NonNullable<M[F]>>] extends [K] ? JsonName<F> : never }[keyof M & string]

export type Part<M, N> = unknown extends M
  ? unknown
  : N extends keyof M
    ? PartModel<NonNullable<M[N]>>
    : N extends string
      ? `_${N}` extends keyof M
        ? PartModel<NonNullable<M[`_${N}`]>>
        : unknown
      : unknown

export type Entry<M, N> = Part<M, N> extends readonly (infer E)[] ? PartModel<E> : unknown

/** A type without named fields (`fieldsV1`) has no model. */
type PartModel<T> = 0 extends 1 & T ? unknown : string extends keyof T ? unknown : T

/** The fields to write, in JSON. Null removes a field. */
export type Written<T> = 0 extends 1 & T
  ? unknown
  : T extends Date
    ? string
    : T extends string | number | boolean
      ? T
      : T extends readonly (infer E)[]
        ? readonly Written<E>[]
        : { readonly [K in keyof T as JsonName<K>]?: Written<NonNullable<T[K]>> | null }
