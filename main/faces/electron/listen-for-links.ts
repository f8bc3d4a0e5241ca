import type { App } from 'electron'
import { isLinkWord, LINK_SCHEME } from './read-link.ts'

/** Links that wait for the window. */
interface Links {
  /** Passes on every link: first those that arrived before there was a window, then each new one. */
  open(onLink: (text: string) => void): void
}

/** Receives links from the command line of this or a second start, and from macOS. Call it before the app is ready. An installed app becomes the default app for these links. */
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
    // A start brings one link; further links on a command line come from somebody else.
    const link = words.findLast(isLinkWord)
    if (link !== undefined) receive(link)
  }
  wordsReceived(commandLine)
  app.on('second-instance', (_event, words) => wordsReceived(words))
  app.on('open-url', (event, url) => {
    event.preventDefault()
    receive(url)
  })
  // A start from sources does not change the desktop's default app.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME)
  return {
    open: onLink => {
      opener = onLink
      for (const text of waiting.splice(0)) onLink(text)
    },
  }
}
