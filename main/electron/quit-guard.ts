import type { BrowserWindow, MessageBoxOptions } from 'electron'
import type { Contract } from '../../shared/contract/index.ts'

const CHOICES = ['keep', 'pause', 'leave', 'cancel'] as const

interface GuardParts {
  readonly contract: Contract
  readonly active: () => readonly string[]
  readonly ask: (options: MessageBoxOptions) => Promise<{ readonly response: number }>
  /** Takes the window off the screen; the tray brings it back. */
  readonly keepInTray: () => void
}

/** Asks before the window, and with it the process, goes away from runs that it drives. */
export function guardQuit(window: Pick<BrowserWindow, 'on' | 'close'>, parts: GuardParts): void {
  let isAsking = false
  let mayClose = false
  const decide = async () => {
    const active = parts.active()
    const { response } = await parts.ask(question(active.length))
    const choice = CHOICES[response] ?? 'cancel'
    if (choice === 'keep') parts.keepInTray()
    if (choice === 'pause') for (const runId of active) await parts.contract.ask('run.pause', { runId })
    if (choice === 'leave') {
      mayClose = true
      window.close()
    }
  }
  window.on('close', event => {
    if (mayClose || parts.active().length === 0) return
    event.preventDefault()
    if (isAsking) return
    isAsking = true
    decide().finally(() => {
      isAsking = false
    })
  })
}

function question(count: number): MessageBoxOptions {
  const runs = count === 1 ? 'A run is active' : `${count} runs are active`
  const it = count === 1 ? 'it' : 'them'
  return {
    type: 'question',
    title: 'Lockkeeper',
    message: `${runs} in this window.`,
    detail: `In the tray Lockkeeper drives ${it} on. Paused, nothing new begins, and the window stays. Left, nobody drives ${it} until somebody resumes ${it}.`,
    buttons: ['Keep running in the tray', 'Pause', 'Leave, to be resumed', 'Cancel'],
    defaultId: 0,
    cancelId: CHOICES.indexOf('cancel'),
    noLink: true,
  }
}
