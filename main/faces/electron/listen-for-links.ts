import type { App } from 'electron'
import { isLinkWord, LINK_SCHEME } from './read-link.ts'

/** Links on their way to a window. */
interface Links {
  /** Hands every link to whoever opens pages from now on: those that came before there was a window, then each as it comes. */
  open(onLink: (text: string) => void): void
}

/**
 * Hears links by each of the three ways they come: on the command line of this start, on that of a second start, and as macOS tells them.
 * To be called before the app is ready. An installed app is made the one that opens them.
 */
export function listenForLinks(
  app: Pick<App, 'isPackaged' | 'on' | 'setAsDefaultProtocolClient'>,
  commandLine: readonly string[],
): Links {
  const waiting: string[] = []
  let opener: ((text: string) => void) | null = null
  const receive = (text: string) => {
    if (opener === null) waiting.push(text)
    else opener(text)
  }
  const wordsReceived = (words: readonly string[]) => {
    // One start brings one link: on a command line with several, somebody else put in the others.
    const link = words.findLast(isLinkWord)
    if (link !== undefined) receive(link)
  }
  wordsReceived(commandLine)
  app.on('second-instance', (_event, words) => wordsReceived(words))
  app.on('open-url', (event, url) => {
    event.preventDefault()
    receive(url)
  })
  // A start from sources leaves the desktop of whoever works on it as it is.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME)
  return {
    open: onLink => {
      opener = onLink
      for (const text of waiting.splice(0)) onLink(text)
    },
  }
}
