import { EventEmitter } from 'node:events'
import type { Message } from './web-contents.ts'

type Handler = (event: object, ...args: unknown[]) => unknown

/** Main's end of the wire (https://www.electronjs.org/docs/latest/api/ipc-main). */
export class IpcMain extends EventEmitter {
  readonly #handlers = new Map<string, { readonly handler: Handler; readonly once: boolean }>()

  handle(channel: string, handler: Handler): void {
    this.#add(channel, handler, false)
  }
  handleOnce(channel: string, handler: Handler): void {
    this.#add(channel, handler, true)
  }
  removeHandler(channel: string): void {
    this.#handlers.delete(channel)
  }

  /** A preload called. */
  readonly receive = (message: Message): void => {
    const { contents, frame, kind, channel, args, settle } = message
    const event = { sender: contents, senderFrame: frame, processId: contents.id, frameId: frame === null ? 0 : 1 }
    if (kind === 'send') {
      this.emit(channel, event, ...args)
      return
    }
    const found = this.#handlers.get(channel)
    if (found?.once === true) this.#handlers.delete(channel)
    Promise.resolve()
      .then(() => {
        if (found === undefined) throw new Error(`No handler registered for '${channel}'`)
        return found.handler(event, ...args)
      })
      .then(
        value => settle({ ok: true, value }),
        (reason: unknown) => settle({ ok: false, message: String(reason) }),
      )
  }

  #add(channel: string, handler: Handler, once: boolean): void {
    if (this.#handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    this.#handlers.set(channel, { handler, once })
  }
}
