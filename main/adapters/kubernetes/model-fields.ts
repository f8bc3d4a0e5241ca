/** By it a value carries the model it was read by; it is nowhere at run time. */
declare const MODEL: unique symbol

/** Carries a generated model of @kubernetes/client-node through the code, for the compiler alone. */
export type OfModel<M> = {
  [MODEL]?(of: M): M
}

/**
 * A JSON object as it came, of which the compiler knows the field names of a model (`V1NodeSpec`): a field that the model does not have does not compile.
 * What the fields hold is not known before it was read (fields.ts). Of an object without a model every name may be asked for.
 */
export type Fields<M = unknown> = OfModel<M> & { readonly [K in NameOf<M>]?: unknown }

/** What a field holds in JSON. */
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

/** The models write names that are words of their language with a line before them (`_continue`). */
type JsonName<K> = K extends `_${infer Name}` ? Name : K

/** The field names of a model. */
export type NameOf<M> = unknown extends M ? string : JsonName<keyof M & string>

/** Those of its fields that hold this kind of value. */
export type NameOfKind<M, K extends 'text' | 'number' | 'flag' | 'list' | 'object'> = unknown extends M
  ? string
  : { [F in keyof M & string]: [Kind<NonNullable<M[F]>>] extends [K] ? JsonName<F> : never }[keyof M & string]

/** The model of a field. */
export type Part<M, N> = unknown extends M
  ? unknown
  : N extends keyof M
    ? PartModel<NonNullable<M[N]>>
    : N extends string
      ? `_${N}` extends keyof M
        ? PartModel<NonNullable<M[`_${N}`]>>
        : unknown
      : unknown

/** The model of the entries of a list. */
export type Entry<M, N> = Part<M, N> extends readonly (infer E)[] ? PartModel<E> : unknown

/** What has no fields of its own (`fieldsV1`) has no model either. */
type PartModel<T> = 0 extends 1 & T ? unknown : string extends keyof T ? unknown : T

/** What is written of an object: fields of its model, in JSON. Null takes one away. */
export type Written<T> = 0 extends 1 & T
  ? unknown
  : T extends Date
    ? string
    : T extends string | number | boolean
      ? T
      : T extends readonly (infer E)[]
        ? readonly Written<E>[]
        : { readonly [K in keyof T as JsonName<K>]?: Written<NonNullable<T[K]>> | null }
