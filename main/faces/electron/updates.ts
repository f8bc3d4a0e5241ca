import type { MessageBoxOptions } from 'electron'
import type { Logger } from '../../platform/log/logger.ts'
import type { UpdateSource } from './update-source.ts'

/** How far an update has come. */
export type UpdateState =
  /** This build was told of no place where updates are. */
  | { readonly kind: 'no-source' }
  | { readonly kind: 'resting' }
  | { readonly kind: 'looking' }
  /** There is one. The operator is asked as soon as this console drives nothing. */
  | { readonly kind: 'found'; readonly version: string }
  | { readonly kind: 'fetching'; readonly version: string }
  /** It is here and was verified. It is installed when the operator says so, and this console drives nothing. */
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'installing'; readonly version: string }

/** The updates of this app. */
export interface Updates {
  state(): UpdateState
  /** Looks for one, or goes on with the one there is. `byHand`: the operator wants an answer, also when there is nothing. */
  look(byHand: boolean): Promise<void>
  /** To be told each time this console begins or ends to drive something: what waited for that is asked now. */
  workChanged(): void
}

interface UpdateParts {
  /** The version that runs. */
  readonly version: string
  /** Whether this console drives a run, or answers maintenance requests. */
  readonly isBusy: () => boolean
  readonly ask: (options: MessageBoxOptions) => Promise<{ readonly response: number }>
  readonly log: Logger
  readonly onChange: (state: UpdateState) => void
}

/**
 * Looks for updates, and asks before one is fetched and again before it is installed; neither is asked, nor done, while this console drives
 * a run: an update in its middle would leave nodes half in maintenance with nobody at them.
 */
export function followUpdates(source: UpdateSource | null, parts: UpdateParts): Updates {
  let state: UpdateState = source === null ? { kind: 'no-source' } : { kind: 'resting' }
  let isAsking = false
  /** What the operator put off: asked again only by hand. */
  let later: string | null = null

  const to = (next: UpdateState) => {
    state = next
    parts.onChange(next)
  }
  const report = async (message: string, detail: string) => {
    await parts.ask({ type: 'info', title: 'Lockkeeper', message, detail, buttons: ['Close'], noLink: true })
  }
  const agrees = async (message: string, detail: string, yes: string): Promise<boolean> => {
    isAsking = true
    const buttons = [yes, 'Later']
    const options: MessageBoxOptions = { type: 'question', title: 'Lockkeeper', message, detail, buttons, noLink: true }
    const { response } = await parts.ask({ ...options, defaultId: 1, cancelId: 1 }).finally(() => {
      isAsking = false
    })
    return response === 0
  }
  const failed = async (message: string, reason: unknown) => {
    parts.log.warn(message, { reason: wordsOf(reason) })
    await report(message, `${wordsOf(reason)} The version that runs stays as it is.`)
  }

  /** Takes the update that there is one step further, if the operator agrees. */
  const goOn = async (): Promise<void> => {
    if (isAsking || parts.isBusy() || source === null) return
    if (state.kind === 'found') await offerFetch(source, state.version)
    else if (state.kind === 'ready') await offerInstall(source, state.version)
  }
  const offerFetch = async (from: UpdateSource, version: string) => {
    const detail = `This is ${parts.version}. It is fetched and verified now; before it is installed you are asked again.`
    if (!(await agrees(`Lockkeeper ${version} is there.`, detail, 'Fetch it'))) {
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
      await failed(`Lockkeeper ${version} was not fetched, or is not what it should be.`, reason)
      return
    }
    to({ kind: 'ready', version })
    await goOn()
  }
  const offerInstall = async (from: UpdateSource, version: string) => {
    const detail =
      'Lockkeeper ends, is installed and starts again. This console drives nothing now; what it keeps stays.'
    if (!(await agrees(`Lockkeeper ${version} is ready to be installed.`, detail, 'Install and start again'))) {
      later = version
      return
    }
    // A run may have begun while the question was open: then it is asked again when that is over.
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
          if (byHand) await failed('Updates could not be looked for.', reason)
          else parts.log.warn('updates could not be looked for', { reason: wordsOf(reason) })
          return
        }
      }
      if (state.kind === 'resting') {
        if (byHand)
          await report(
            `Lockkeeper ${parts.version} is the newest.`,
            'Nothing newer is published where this build looks.',
          )
      } else if (state.kind === 'found' || state.kind === 'ready') {
        if (!byHand && state.version === later) return
        if (byHand && parts.isBusy()) {
          later = null
          await report(
            `Lockkeeper ${state.version} waits.`,
            'This console drives a run or answers requests. When that is over you are asked.',
          )
        } else await goOn()
      }
    },
  }
}

function wordsOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
