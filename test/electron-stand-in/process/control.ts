import type { App } from './app.ts'
import { desktopState, dialog, Menu, Notification, Tray } from './desktop.ts'

/** What a journey can do at the desktop around the windows. */
export type Command =
  | { readonly do: 'look' }
  | { readonly do: 'script-dialog'; readonly answer: unknown }
  | { readonly do: 'choose-menu'; readonly path: readonly string[] }
  | { readonly do: 'choose-tray'; readonly path: readonly string[] }
  | { readonly do: 'click-notification'; readonly title: string }
  | { readonly do: 'close-window' }
  | { readonly do: 'quit' }

/** Takes a journey's commands over the channel that Node gives a forked process; without one, nobody commands. */
export function takeCommands(app: App): void {
  if (process.send === undefined) return
  process.on('message', (message: { readonly id: number; readonly command: Command }) => {
    let error: string | null = null
    try {
      obey(app, message.command)
    } catch (reason) {
      error = String(reason)
    }
    const windows = [...app.windows].map(window => ({
      title: 'getTitle' in window && typeof window.getTitle === 'function' ? window.getTitle() : '',
      visible: 'isVisible' in window && typeof window.isVisible === 'function' ? window.isVisible() : false,
    }))
    if (process.connected) process.send?.({ id: message.id, error, state: { ...desktopState(), windows } })
  })
  // The channel alone must not keep an app alive that has quit.
  process.channel?.unref()
}

function obey(app: App, command: Command): void {
  const [window] = app.windows
  switch (command.do) {
    case 'look':
      return
    case 'script-dialog':
      dialog.scripted.push(command.answer)
      return
    case 'choose-menu':
      if (Menu.current === null) throw new Error('The app has no menu')
      Menu.current.choose(command.path, window)
      return
    case 'choose-tray': {
      const [tray] = Tray.all
      if (tray?.menu === null || tray === undefined) throw new Error('The app has no tray with a menu')
      tray.menu.choose(command.path, window)
      return
    }
    case 'click-notification': {
      const shown = Notification.shown.find(({ title }) => title === command.title)
      if (shown === undefined) throw new Error(`No notification is titled ${command.title}`)
      shown.emit('click', {})
      return
    }
    case 'close-window':
      window?.close()
      return
    case 'quit':
      app.quit()
  }
}
