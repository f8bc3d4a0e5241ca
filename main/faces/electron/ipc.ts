import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron'
import type { Contract } from '../../../shared/contract/index.ts'
import { failed } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { ASK_CHANNEL, EVENT_CHANNEL } from './channels.ts'
import { eventNames, isRequestName } from './contract-names.ts'
import { isOurPage } from './security.ts'

/** Answers the window's requests through the router, and sends it the contract's events (docs/style.md G12, G13). Checks only the sender: our window, its main frame, our page. The router validates the input. Returns how to stop. */
export function connectWindow(
  ipcMain: Pick<IpcMain, 'handle' | 'removeHandler'>,
  window: WebContents,
  contract: Contract,
  page: string,
): () => void {
  ipcMain.handle(ASK_CHANNEL, (event, name: unknown, input: unknown) => {
    if (!isOurSender(event, window, page)) {
      return failed(refusal('not-permitted', because('ForeignSender')))
    }
    if (!isRequestName(name)) {
      return failed(refusal('bad-input', because('RequestOutsideContract')))
    }
    // The router parses the input against the schema of the name and refuses what does not fit.
    return contract.ask(name, input as never)
  })
  const stops = eventNames.map(name =>
    contract.listen(name, payload => {
      if (!window.isDestroyed()) window.send(EVENT_CHANNEL, name, payload)
    }),
  )
  return () => {
    ipcMain.removeHandler(ASK_CHANNEL)
    for (const stop of stops) stop()
  }
}

function isOurSender(event: IpcMainInvokeEvent, window: WebContents, page: string): boolean {
  const frame = event.senderFrame
  return event.sender === window && frame !== null && frame === window.mainFrame && isOurPage(frame.url, page)
}
