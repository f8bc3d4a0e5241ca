import { createCodec } from './clone.ts'

// What runs in the page. Electron keeps the preload in a separate JavaScript world over the same document (context isolation,
// https://www.electronjs.org/docs/latest/tutorial/context-isolation); Chromium's DevTools protocol can make such a world as well. The
// two worlds meet in one detached element that only they hold, because events are dispatched at once and carry clones.

/** The world of the preload. */
export const PRELOAD_WORLD = 'Electron Isolated Context'
/** The function by which that world, and no other, calls main. */
export const MAIN_BINDING = '__electronStandInMain'
/** The functions of that world by which main answers and sends. */
export const PRELOAD_HOOKS = '__electronStandIn'

const MEETING = '__electron-stand-in-meeting'

/** Source for the page's own world; runs before the preload, so that what the preload exposes is there before any script of the page. */
export const pageWorldSource = `(${pageWorld})(${JSON.stringify(MEETING)}, ${bridge})`

/** Source for the preload's world, with the preload in it. */
export function preloadWorldSource(preload: string): string {
  const names = JSON.stringify({ meeting: MEETING, binding: MAIN_BINDING, hooks: PRELOAD_HOOKS })
  return `(${preloadWorld})(${names}, ${bridge}, (${createCodec})(), function (require, module, exports) {${preload}\n})`
}

/** One side of the bridge between the worlds: turns values into what may cross, and back. */
interface Bridge {
  pack(value: unknown): unknown
  unpack(packed: unknown): unknown
}

/**
 * Copies values between worlds as `contextBridge` does: plain values are copied and frozen, functions become functions that call back,
 * promises become promises, prototypes and symbols are lost (https://www.electronjs.org/docs/latest/api/context-bridge).
 */
function bridge(meeting: EventTarget, mine: string, theirs: string): Bridge {
  type Packed = {
    readonly kind: string
    readonly id?: number
    readonly value?: unknown
    readonly args?: readonly unknown[]
  }
  const dispatch = EventTarget.prototype.dispatchEvent
  const PageEvent = CustomEvent
  const functions = new Map<number, (...args: unknown[]) => unknown>()
  const settlers = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void }>()
  let last = 0
  let returned: Packed = { kind: 'value' }
  const report = (detail: Packed) => Reflect.apply(dispatch, meeting, [new PageEvent(theirs, { detail })])
  const pack = (value: unknown): Packed => {
    if (typeof value === 'function') {
      functions.set(++last, value as () => unknown)
      return { kind: 'function', id: last }
    }
    if (value instanceof Promise) {
      const id = ++last
      value.then(
        held => report({ kind: 'resolved', id, value: pack(held) }),
        (reason: unknown) => report({ kind: 'rejected', id, value: pack(reason) }),
      )
      return { kind: 'promise', id }
    }
    if (Array.isArray(value)) return { kind: 'array', value: value.map(pack) }
    if (Object.prototype.toString.call(value) === '[object Object]') {
      return { kind: 'object', value: Object.entries(value as object).map(([key, held]) => [key, pack(held)]) }
    }
    return { kind: 'value', value }
  }
  const unpack = (packed: unknown): unknown => {
    const { kind, id = 0, value } = packed as Packed
    switch (kind) {
      case 'function':
        return (...args: unknown[]) => {
          report({ kind: 'call', id, args: args.map(pack) })
          const answer = returned
          if (answer.kind === 'thrown') throw unpack(answer.value)
          return unpack(answer)
        }
      case 'promise':
        return new Promise((resolve, reject) => settlers.set(id, { resolve, reject }))
      case 'array':
        return Object.freeze((value as unknown[]).map(unpack))
      case 'object':
        return Object.freeze(
          Object.fromEntries((value as [string, unknown][]).map(([key, held]) => [key, unpack(held)])),
        )
      default:
        return value
    }
  }
  meeting.addEventListener(mine, event => {
    const { kind, id = 0, value, args = [] } = (event as CustomEvent<Packed>).detail
    if (kind === 'returned') returned = value as Packed
    if (kind === 'resolved') settlers.get(id)?.resolve(unpack(value))
    if (kind === 'rejected') settlers.get(id)?.reject(unpack(value))
    if (kind === 'resolved' || kind === 'rejected') settlers.delete(id)
    if (kind !== 'call') return
    let answer: Packed
    try {
      answer = pack(functions.get(id)?.(...args.map(unpack)))
    } catch (reason) {
      answer = { kind: 'thrown', value: pack(reason) }
    }
    report({ kind: 'returned', value: answer })
  })
  return { pack, unpack }
}

function pageWorld(meetingName: string, connect: typeof bridge): void {
  const onMeeting = (met: Event) => {
    met.stopImmediatePropagation()
    const meeting = (met as MouseEvent).relatedTarget
    if (meeting === null) return
    const { unpack } = connect(meeting, 'to-page', 'to-preload')
    meeting.addEventListener('expose', event => {
      const [name, packed] = (event as CustomEvent<readonly [string, unknown]>).detail
      Object.defineProperty(globalThis, name, { value: unpack(packed), enumerable: true })
    })
  }
  window.addEventListener(meetingName, onMeeting, { once: true })
}

function preloadWorld(
  names: { readonly meeting: string; readonly binding: string; readonly hooks: string },
  connect: typeof bridge,
  codec: ReturnType<typeof createCodec>,
  preload: (require: (name: string) => unknown, module: object, exports: object) => void,
): void {
  const meeting = document.createElement('i')
  window.dispatchEvent(new MouseEvent(names.meeting, { relatedTarget: meeting }))
  const { pack } = connect(meeting, 'to-preload', 'to-page')
  const world = globalThis as unknown as Record<string, unknown>
  const callMain = world[names.binding] as (text: string) => void

  const waiting = new Map<number, { resolve(value: unknown): void; reject(reason: Error): void }>()
  const listeners = new Map<string, ((event: object, ...args: unknown[]) => void)[]>()
  let last = 0
  world[names.hooks] = {
    settle: (id: number, isOk: boolean, text: string) => {
      const found = waiting.get(id)
      waiting.delete(id)
      if (isOk) found?.resolve(codec.decode(text))
      else found?.reject(new Error(text))
    },
    receive: (channel: string, text: string) => {
      const args = codec.decode(text) as unknown[]
      for (const listener of [...(listeners.get(channel) ?? [])]) listener({ sender: ipcRenderer, ports: [] }, ...args)
    },
  }
  const named = (name: string, known: object): object =>
    new Proxy(known, {
      get: (of, key) => {
        if (Reflect.has(of, key)) return Reflect.get(of, key)
        throw new Error(`The Electron stand-in has no ${name}.${String(key)}`)
      },
    })
  const ipcRenderer: object = named('ipcRenderer', {
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const text = codec.encode(args)
        waiting.set(++last, { resolve, reject })
        callMain(JSON.stringify({ kind: 'invoke', id: last, channel, args: text }))
      }),
    send: (channel: string, ...args: unknown[]) =>
      callMain(JSON.stringify({ kind: 'send', id: 0, channel, args: codec.encode(args) })),
    on: (channel: string, listener: () => void) => {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener])
      return ipcRenderer
    },
    removeListener: (channel: string, listener: () => void) => {
      const kept = [...(listeners.get(channel) ?? [])]
      const at = kept.lastIndexOf(listener)
      if (at >= 0) kept.splice(at, 1)
      listeners.set(channel, kept)
      return ipcRenderer
    },
  })
  const exposed = new Set<string>()
  const contextBridge = named('contextBridge', {
    exposeInMainWorld: (name: string, api: unknown) => {
      if (exposed.has(name)) throw new Error('Cannot bind an API on top of an existing property on the window object')
      exposed.add(name)
      meeting.dispatchEvent(new CustomEvent('expose', { detail: [name, pack(api)] }))
    },
  })
  // A page of Chromium's own does not know where a file lies, as Electron's does.
  const webUtils = named('webUtils', { getPathForFile: () => '' })
  const electron = named('electron', { contextBridge, ipcRenderer, webUtils })
  const module = { exports: {} }
  // A sandboxed preload can require a handful of modules; ours needs one
  // (https://www.electronjs.org/docs/latest/tutorial/sandbox#preload-scripts).
  const require = (name: string) => {
    if (name === 'electron') return electron
    throw new Error(`module not found: ${name}`)
  }
  preload(require, module, module.exports)
}
