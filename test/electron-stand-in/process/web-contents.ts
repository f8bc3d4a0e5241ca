import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { CdpEvent, Chromium } from './chromium.ts'
import { createCodec } from './clone.ts'
import { answerRequest, appAddress, chromiumAddress, INTERCEPTED } from './schemes.ts'
import { MAIN_BINDING, PRELOAD_HOOKS, PRELOAD_WORLD, pageWorldSource, preloadWorldSource } from './worlds.ts'

/** A frame of a page, as a sender of messages (https://www.electronjs.org/docs/latest/api/web-frame-main). */
export interface Frame {
  readonly frameTreeNodeId: string
  url: string
}

/** What comes out of the preload: its own request, with the frame it is in. */
export interface Message {
  readonly contents: WebContents
  readonly frame: Frame | null
  readonly kind: 'invoke' | 'send'
  readonly channel: string
  readonly args: readonly unknown[]
  /** Answers an invocation. */
  settle(
    outcome: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string },
  ): void
}

const codec = createCodec()
let lastId = 0

/** The page of a window (https://www.electronjs.org/docs/latest/api/web-contents). */
export class WebContents extends EventEmitter {
  readonly id = ++lastId
  readonly mainFrame: Frame = { frameTreeNodeId: '', url: '' }
  readonly session: object
  readonly ready: Promise<void>
  openHandler: ((details: { readonly url: string }) => { readonly action: 'allow' | 'deny' }) | null = null
  readonly #chromium: Promise<Chromium>
  readonly #onMessage: (message: Message) => void
  /** Contexts of the preload's world by their ids: which frame each is in. */
  readonly #worlds = new Map<number, string>()
  #session = ''
  #target = ''
  #destroyed = false
  #driven = ''

  constructor(parts: {
    readonly chromium: Promise<Chromium>
    readonly preload: string | null
    readonly size: { readonly width: number; readonly height: number }
    readonly session: object
    readonly onMessage: (message: Message) => void
  }) {
    super()
    this.session = parts.session
    this.#chromium = parts.chromium
    this.#onMessage = parts.onMessage
    this.ready = this.#open(parts.preload === null ? null : readFileSync(parts.preload, 'utf8'), parts.size)
  }

  getURL(): string {
    return this.mainFrame.url
  }
  isDestroyed(): boolean {
    return this.#destroyed
  }
  isCrashed(): boolean {
    return false
  }
  setWindowOpenHandler(handler: WebContents['openHandler']): void {
    this.openHandler = handler
  }
  /** Sends to the preload of the main frame; what cannot be cloned throws here, as in Electron. */
  send(channel: string, ...args: unknown[]): void {
    const text = codec.encode(args)
    for (const [context, frame] of this.#worlds) {
      if (frame === this.mainFrame.frameTreeNodeId) this.#callWorld(context, 'receive', [channel, text])
    }
  }
  reload(): void {
    void this.#send('Page.reload')
  }
  async loadURL(address: string): Promise<void> {
    await this.ready
    const loaded = new Promise<void>(resolve => this.once('did-finish-load', resolve))
    this.#driven = chromiumAddress(address)
    const { errorText, loaderId } = await this.#send('Page.navigate', { url: this.#driven })
    if (errorText !== undefined) {
      this.emit('did-fail-load', {}, -2, errorText, address, true)
      throw new Error(`${errorText} loading '${address}'`)
    }
    // Without a loader the address differed behind the # only.
    if (loaderId !== undefined) await loaded
  }
  async setBounds(bounds: { readonly width?: number; readonly height?: number }): Promise<void> {
    await this.ready
    const { windowId } = await (await this.#chromium).send('Browser.getWindowForTarget', { targetId: this.#target })
    await (await this.#chromium).send('Browser.setWindowBounds', { windowId, bounds })
  }
  /** Closes the page without asking. */
  async closePage(): Promise<void> {
    await this.ready
    await (await this.#chromium).send('Target.closeTarget', { targetId: this.#target }).catch(() => {})
  }
  /** The page has closed, for any reason. */
  end(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    this.#worlds.clear()
    this.emit('destroyed')
  }

  async #open(preload: string | null, size: { readonly width: number; readonly height: number }): Promise<void> {
    const chromium = await this.#chromium
    chromium.on('event', event => this.#heard(event))
    const { targetId } = await chromium.send('Target.createTarget', { url: 'about:blank', newWindow: true, ...size })
    this.#target = targetId
    const { sessionId } = await chromium.send('Target.attachToTarget', { targetId, flatten: true })
    this.#session = sessionId
    await this.#send('Page.enable')
    await this.#send('Inspector.enable')
    await this.#send('Runtime.enable')
    await this.#send('Runtime.addBinding', { name: MAIN_BINDING, executionContextName: PRELOAD_WORLD })
    await this.#send('Fetch.enable', { patterns: INTERCEPTED })
    if (preload !== null) {
      await this.#send('Page.addScriptToEvaluateOnNewDocument', { source: pageWorldSource })
      await this.#send('Page.addScriptToEvaluateOnNewDocument', {
        source: preloadWorldSource(preload),
        worldName: PRELOAD_WORLD,
      })
    }
    const { frameTree } = await this.#send('Page.getFrameTree')
    Object.assign(this.mainFrame, { frameTreeNodeId: frameTree.frame.id, url: frameTree.frame.url })
  }

  #heard({ method, params, sessionId }: CdpEvent): void {
    if (method === 'Target.targetDestroyed' && params.targetId === this.#target) this.end()
    if (method === 'Target.targetCreated' && params.targetInfo.openerId === this.#target) {
      void this.#opened(params.targetInfo)
    }
    if (sessionId !== this.#session || this.#destroyed) return
    switch (method) {
      case 'Runtime.executionContextCreated': {
        const { id, name, auxData } = params.context
        if (name === PRELOAD_WORLD) this.#worlds.set(id, auxData.frameId)
        return
      }
      case 'Runtime.executionContextDestroyed':
        this.#worlds.delete(params.executionContextId)
        return
      case 'Runtime.executionContextsCleared':
        this.#worlds.clear()
        return
      case 'Runtime.bindingCalled':
        this.#called(params.executionContextId, params.payload)
        return
      case 'Page.frameNavigated':
        if (params.frame.parentId !== undefined) return
        this.mainFrame.url = appAddress(params.frame.url)
        this.emit('did-navigate', {}, this.mainFrame.url)
        return
      case 'Page.loadEventFired':
        this.emit('did-finish-load')
        return
      case 'Page.domContentEventFired':
        this.emit('dom-ready', {})
        return
      case 'Inspector.targetCrashed':
        this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 })
        return
      case 'Fetch.requestPaused':
        void this.#paused(params)
    }
  }

  #called(context: number, payload: string): void {
    const { kind, id, channel, args } = JSON.parse(payload)
    const frameId = this.#worlds.get(context)
    this.#onMessage({
      contents: this,
      frame: frameId === this.mainFrame.frameTreeNodeId ? this.mainFrame : null,
      kind,
      channel,
      args: codec.decode(args) as unknown[],
      settle: outcome => this.#settle(context, id, channel, outcome),
    })
  }

  /** An error crosses as its words: https://www.electronjs.org/docs/latest/api/ipc-main#ipcmainhandlechannel-listener */
  #settle(context: number, id: number, channel: string, outcome: Parameters<Message['settle']>[0]): void {
    let failed = outcome.ok ? null : outcome.message
    let text = ''
    try {
      if (outcome.ok) text = codec.encode(outcome.value)
    } catch (reason) {
      failed = String(reason)
    }
    const words = `Error invoking remote method '${channel}': ${failed}`
    this.#callWorld(context, 'settle', failed === null ? [id, true, text] : [id, false, words])
  }

  #callWorld(context: number, hook: string, args: readonly unknown[]): void {
    this.#send('Runtime.callFunctionOn', {
      executionContextId: context,
      functionDeclaration: `function (...args) { globalThis.${PRELOAD_HOOKS}.${hook}(...args) }`,
      arguments: args.map(value => ({ value })),
      // A page that was left in the meantime gets no event; that is not a fault.
    }).catch(() => {})
  }

  /** A page may not leave before will-navigate has let it; what our own loadURL asked for does not ask. */
  async #paused(paused: {
    readonly requestId: string
    readonly request: { readonly url: string; readonly method: string; readonly headers: Record<string, string> }
    readonly resourceType: string
    readonly frameId: string
    readonly redirectedRequestId?: string
  }): Promise<void> {
    const { requestId, request } = paused
    const isDocument = paused.resourceType === 'Document'
    const isMain = isDocument && paused.frameId === this.mainFrame.frameTreeNodeId
    if (isDocument && request.url !== this.#driven) {
      let isPrevented = false
      const url = appAddress(request.url)
      const event = {
        url,
        preventDefault: () => {
          isPrevented = true
        },
      }
      const isRedirect = paused.redirectedRequestId !== undefined
      if (isMain) this.emit(isRedirect ? 'will-redirect' : 'will-navigate', event, url)
      if (!isRedirect) this.emit('will-frame-navigate', event)
      if (isPrevented) {
        await this.#send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(() => {})
        return
      }
    }
    if (isMain) this.#driven = ''
    const answer = await answerRequest(request)
    await (answer === null
      ? this.#send('Fetch.continueRequest', { requestId })
      : this.#send('Fetch.fulfillRequest', { requestId, ...answer })
    ).catch(() => {})
  }

  /** Unlike Electron, the new page exists for a moment before the handler's refusal closes it. */
  async #opened(target: { readonly targetId: string; readonly url: string }): Promise<void> {
    const { action } = this.openHandler?.({ url: appAddress(target.url) }) ?? { action: 'allow' }
    if (action === 'deny')
      await (await this.#chromium).send('Target.closeTarget', { targetId: target.targetId }).catch(() => {})
  }

  // biome-ignore lint/suspicious/noExplicitAny: the protocol's own shapes.
  async #send(method: string, params: object = {}): Promise<any> {
    return (await this.#chromium).send(method, params, this.#session)
  }
}
