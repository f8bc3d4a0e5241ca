import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron'
import { ASK_CHANNEL, EVENT_CHANNEL } from './channels.ts'
import { isEventName, isRequestName } from './contract-names.ts'

/** Sends a request of the contract to main; refuses any other name (docs/style.md G12). */
async function askContract(name: unknown, input: unknown): Promise<unknown> {
  if (!isRequestName(name)) throw new TypeError(`Not a request of the contract: ${String(name)}`)
  return ipcRenderer.invoke(ASK_CHANNEL, name, input)
}

/** Listens to one event of the contract; returns how to stop. The listener gets the payload, never Electron's event object. */
function listen(name: unknown, onEvent: (payload: unknown) => void): () => void {
  if (!isEventName(name)) throw new TypeError(`Not an event of the contract: ${String(name)}`)
  const receive = (_event: IpcRendererEvent, received: unknown, payload: unknown) => {
    if (received === name) onEvent(payload)
  }
  ipcRenderer.on(EVENT_CHANNEL, receive)
  return () => {
    ipcRenderer.removeListener(EVENT_CHANNEL, receive)
  }
}

/** The path of a dropped file; empty if it is not a file of this machine. */
function pathOf(file: File): string {
  return webUtils.getPathForFile(file)
}

contextBridge.exposeInMainWorld('lockkeeper', { ask: askContract, listen, pathOf })
