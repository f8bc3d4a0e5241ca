/** What crosses a wire that carries text only, with the types that a structured clone keeps and JSON loses. */
export interface Codec {
  encode(value: unknown): string
  decode(text: string): unknown
}

/**
 * The structured clone algorithm over a text wire: Electron's IPC clones this way, and refuses functions, promises and symbols with
 * `An object could not be cloned.` (https://www.electronjs.org/docs/latest/api/ipc-renderer#ipcrendererinvokechannel-args). One
 * self-contained function, because its source also runs in the page.
 */
export function createCodec(): Codec {
  const wrap = (value: unknown): unknown => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (value === undefined) return { $: 'undefined' }
    if (typeof value === 'bigint') return { $: 'bigint', v: String(value) }
    if (typeof value === 'number')
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { $: 'number', v: Object.is(value, -0) ? '-0' : String(value) }
    if (Array.isArray(value)) return value.map(wrap)
    if (value instanceof Date) return { $: 'date', v: value.getTime() }
    if (value instanceof Map) return { $: 'map', v: [...value].map(([key, held]) => [wrap(key), wrap(held)]) }
    if (value instanceof Set) return { $: 'set', v: [...value].map(wrap) }
    if (value instanceof Uint8Array) return { $: 'bytes', v: [...value] }
    if (value instanceof Error) return { $: 'error', v: [value.name, value.message] }
    if (Object.prototype.toString.call(value) !== '[object Object]') {
      throw new Error(`The Electron stand-in does not carry ${Object.prototype.toString.call(value)}`)
    }
    return { $: 'object', v: Object.entries(value as object).map(([key, held]) => [key, wrap(held)]) }
  }
  const unwrap = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unwrap)
    if (value === null || typeof value !== 'object') return value
    const { $: kind, v: held } = value as { readonly $: string; readonly v: never }
    const pairs = () =>
      (held as [unknown, unknown][]).map(([key, item]): [unknown, unknown] => [unwrap(key), unwrap(item)])
    switch (kind) {
      case 'bigint':
        return BigInt(held)
      case 'number':
        return Number(held)
      case 'date':
        return new Date(held)
      case 'map':
        return new Map(pairs())
      case 'set':
        return new Set((held as unknown[]).map(unwrap))
      case 'bytes':
        return Uint8Array.from(held as number[])
      case 'error':
        return Object.assign(new Error(held[1]), { name: held[0] })
      case 'object':
        return Object.fromEntries((held as [string, unknown][]).map(([key, item]) => [key, unwrap(item)]))
      default:
        return undefined
    }
  }
  return {
    encode: value => {
      let cloned: unknown
      try {
        cloned = structuredClone(value)
      } catch {
        throw new Error('An object could not be cloned.')
      }
      return JSON.stringify(wrap(cloned))
    },
    decode: text => unwrap(JSON.parse(text)),
  }
}
