import type { IpcMain, IpcMainInvokeEvent, WebContents } from 'electron'
import type { Contract } from '../../../shared/contract/index.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed } from '../../../shared/domain/result.ts'
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
      return failed(failure('not-permitted', 'This request did not come from the Lockkeeper window and was refused.'))
    }
    if (!isRequestName(name)) {
      return failed(failure('bad-input', 'The window sent a request that is not in the contract.'))
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
