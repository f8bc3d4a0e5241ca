import type { BrowserWindow, MessageBoxOptions } from 'electron'
import type { Contract } from '../../../shared/contract/index.ts'

const CHOICES = ['keep', 'pause', 'leave', 'cancel'] as const

interface GuardParts {
  readonly contract: Contract
  /** Runs this process drives. */
  readonly active: () => readonly string[]
  /** Clusters whose maintenance requests this process answers. */
  readonly answered: () => readonly string[]
  readonly ask: (options: MessageBoxOptions) => Promise<{ readonly response: number }>
  /** Takes the window off the screen; the tray brings it back. */
  readonly keepInTray: () => void
}

/** Asks before the window, and with it the process, goes away from runs that it drives or clusters whose requests it answers. */
export function guardQuit(window: Pick<BrowserWindow, 'on' | 'close'>, parts: GuardParts): void {
  let isAsking = false
  let mayClose = false
  const decide = async () => {
    const active = parts.active()
    const answered = parts.answered()
    const { response } = await parts.ask(question(active.length, answered))
    const choice = CHOICES[response] ?? 'cancel'
    if (choice === 'keep') parts.keepInTray()
    if (choice === 'pause') {
      for (const runId of active) await parts.contract.ask('run.pause', { runId })
      for (const cluster of answered) await parts.contract.ask('controllers.stop', { cluster })
    }
    if (choice === 'leave') {
      mayClose = true
      window.close()
    }
  }
  window.on('close', event => {
    if (mayClose || parts.active().length + parts.answered().length === 0) return
    event.preventDefault()
    if (isAsking) return
    isAsking = true
    decide().finally(() => {
      isAsking = false
    })
  })
}

function question(count: number, answered: readonly string[]): MessageBoxOptions {
  const runs = count === 1 ? 'A run is active' : `${count} runs are active`
  const it = count === 1 ? 'it' : 'them'
  const about = [
    ...(count === 0
      ? []
      : [
          `In the tray Lockkeeper drives ${it} on. Paused, nothing new begins, and the window stays. Left, nobody drives ${it} until somebody resumes ${it}.`,
        ]),
    ...(answered.length === 0
      ? []
      : [
          `This console answers the maintenance requests of ${answered.join(', ')}. In the tray it goes on; paused or left, nobody answers until the controllers are run again.`,
        ]),
  ]
  return {
    type: 'question',
    title: 'Lockkeeper',
    message: count === 0 ? 'Controllers are run in this window.' : `${runs} in this window.`,
    detail: about.join(' '),
    buttons: [
      'Keep running in the tray',
      count === 0 ? 'Stop the controllers' : 'Pause',
      count === 0 ? 'Leave' : 'Leave, to be resumed',
      'Cancel',
    ],
    defaultId: 0,
    cancelId: CHOICES.indexOf('cancel'),
    noLink: true,
  }
}
