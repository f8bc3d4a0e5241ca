import type { BrowserWindow, MessageBoxOptions } from 'electron'
import type { Contract } from '../../../shared/contract/index.ts'

const CHOICES = ['keep', 'pause', 'leave', 'cancel'] as const

interface GuardParts {
  readonly contract: Contract
  readonly active: () => readonly string[]
  readonly answered: () => readonly string[]
  readonly showDialog: (options: MessageBoxOptions) => Promise<{ readonly response: number }>
  /** Hides the window; the tray shows it again. */
  readonly keepInTray: () => void
}

/** Asks before closing the window, and with it the process, while it drives runs or answers requests. */
export function guardQuit(window: Pick<BrowserWindow, 'on' | 'close'>, parts: GuardParts): void {
  let isAsking = false
  let mayClose = false
  const decide = async () => {
    const active = parts.active()
    const answered = parts.answered()
    const { response } = await parts.showDialog(question(active.length, answered))
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
          `In the tray Lockkeeper continues ${it}. Pause starts no further step and keeps the window. Leave stops ${it} until you resume ${it}.`,
        ]),
    ...(answered.length === 0
      ? []
      : [
          `This console answers the maintenance requests of ${answered.join(', ')}. In the tray it continues. After Pause or Leave nobody answers until the controllers run again.`,
        ]),
  ]
  return {
    type: 'question',
    title: 'Lockkeeper',
    message: count === 0 ? 'Controllers run in this window.' : `${runs} in this window.`,
    detail: about.join(' '),
    buttons: [
      'Keep running in the tray',
      count === 0 ? 'Stop the controllers' : 'Pause',
      count === 0 ? 'Leave' : 'Leave, resume later',
      'Cancel',
    ],
    defaultId: 0,
    cancelId: CHOICES.indexOf('cancel'),
    noLink: true,
  }
}
