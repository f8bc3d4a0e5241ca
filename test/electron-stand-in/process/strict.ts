/**
 * An object of the stand-in that says by name what it lacks: an app that calls something we do not stand in for fails at once, instead
 * of getting an `undefined` that real Electron would not have given.
 */
export function strict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(of, key) {
      const isAsked = typeof key === 'string' && key !== 'then' && key !== 'toJSON'
      if (isAsked && !(key in of)) throw new Error(`The Electron stand-in has no ${name}.${key}`)
      const value: unknown = Reflect.get(of, key)
      // Private fields are those of the object, not of a proxy in front of it.
      return typeof value === 'function' && key !== 'prototype' && key !== 'constructor' ? value.bind(of) : value
    },
  })
}
