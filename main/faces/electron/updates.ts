import type { MessageBoxOptions } from 'electron'
import type { Logger } from '../../platform/log/logger.ts'
import type { UpdateSource } from './update-source.ts'

export type UpdateState =
  /** This build has no update server. */
  | { readonly kind: 'no-source' }
  | { readonly kind: 'resting' }
  | { readonly kind: 'looking' }
  /** An update exists. Asks the operator as soon as this console has no work. */
  | { readonly kind: 'found'; readonly version: string }
  | { readonly kind: 'fetching'; readonly version: string }
  /** Downloaded and verified. Installed when the operator agrees and this console has no work. */
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'installing'; readonly version: string }

export interface Updates {
  state(): UpdateState
  /** Checks for an update, or continues with the known one. `byHand`: the operator asked, so always answer. */
  look(byHand: boolean): Promise<void>
  /** Call it whenever this console's work starts or ends: it asks what had to wait. */
  workChanged(): void
}

interface UpdateParts {
  readonly version: string
  readonly isBusy: () => boolean
  readonly showDialog: (options: MessageBoxOptions) => Promise<{ readonly response: number }>
  readonly log: Logger
  readonly onChange: (state: UpdateState) => void
}

/** Checks for updates, and asks before downloading and again before installing. Does neither while this console drives a run: an update would leave nodes half in maintenance. */
export function followUpdates(source: UpdateSource | null, parts: UpdateParts): Updates {
  let state: UpdateState = source === null ? { kind: 'no-source' } : { kind: 'resting' }
  let isAsking = false
  /** The version that the operator postponed; asked about again only by hand. */
  let later: string | null = null

  const to = (next: UpdateState) => {
    state = next
    parts.onChange(next)
  }
  const report = async (message: string, detail: string) => {
    await parts.showDialog({ type: 'info', title: 'Lockkeeper', message, detail, buttons: ['Close'], noLink: true })
  }
  const agrees = async (message: string, detail: string, yes: string): Promise<boolean> => {
    isAsking = true
    const buttons = [yes, 'Later']
    const options: MessageBoxOptions = { type: 'question', title: 'Lockkeeper', message, detail, buttons, noLink: true }
    const { response } = await parts.showDialog({ ...options, defaultId: 1, cancelId: 1 }).finally(() => {
      isAsking = false
    })
    return response === 0
  }
  const failed = async (message: string, reason: unknown) => {
    parts.log.warn(message, { reason: wordsOf(reason) })
    await report(message, `${wordsOf(reason)} The current version stays installed.`)
  }

  /** Does the next step of the known update, if the operator agrees. */
  const goOn = async (): Promise<void> => {
    if (isAsking || parts.isBusy() || source === null) return
    if (state.kind === 'found') await offerFetch(source, state.version)
    else if (state.kind === 'ready') await offerInstall(source, state.version)
  }
  const offerFetch = async (from: UpdateSource, version: string) => {
    const detail = `You have ${parts.version}. Lockkeeper downloads and verifies the new version now, and asks again before installing it.`
    if (!(await agrees(`Lockkeeper ${version} is available.`, detail, 'Download it'))) {
      later = version
      to({ kind: 'resting' })
      return
    }
    later = null
    to({ kind: 'fetching', version })
    try {
      await from.fetch()
    } catch (reason) {
      to({ kind: 'resting' })
      await failed(`Lockkeeper ${version} could not be downloaded or verified.`, reason)
      return
    }
    to({ kind: 'ready', version })
    await goOn()
  }
  const offerInstall = async (from: UpdateSource, version: string) => {
    const detail =
      'Lockkeeper quits, installs the update and starts again. This console has no active runs; your data stays.'
    if (!(await agrees(`Lockkeeper ${version} is ready to install.`, detail, 'Install and restart'))) {
      later = version
      return
    }
    // A run may have started while the question was open: then it is asked again after the run.
    if (parts.isBusy()) return
    to({ kind: 'installing', version })
    from.install(reason => {
      to({ kind: 'ready', version })
      later = version
      void failed(`Lockkeeper ${version} was not installed.`, reason)
    })
  }

  return {
    state: () => state,
    workChanged: () => {
      if ((state.kind === 'found' || state.kind === 'ready') && state.version !== later) void goOn()
    },
    look: async byHand => {
      if (source === null || isAsking) return
      if (state.kind === 'resting') {
        to({ kind: 'looking' })
        try {
          const version = await source.look()
          to(version === null ? { kind: 'resting' } : { kind: 'found', version })
        } catch (reason) {
          to({ kind: 'resting' })
          if (byHand) await failed('Could not check for updates.', reason)
          else parts.log.warn('update-check-failed', { reason: wordsOf(reason) })
          return
        }
      }
      if (state.kind === 'resting') {
        if (byHand)
          await report(`Lockkeeper ${parts.version} is up to date.`, 'The update server has no newer version.')
      } else if (state.kind === 'found' || state.kind === 'ready') {
        if (!byHand && state.version === later) return
        if (byHand && parts.isBusy()) {
          later = null
          await report(
            `Lockkeeper ${state.version} has to wait.`,
            'This console has an active run or answers requests. It asks you when that has ended.',
          )
        } else await goOn()
      }
    },
  }
}

function wordsOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
