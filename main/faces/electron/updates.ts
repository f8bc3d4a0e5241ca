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

/** What is known about an update, and what the operator said to it. */
interface Following {
  readonly source: UpdateSource | null
  readonly parts: UpdateParts
  state: UpdateState
  isAsking: boolean
  /** The version that the operator postponed; asked about again only by hand. */
  later: string | null
}

/** Checks for updates, and asks before downloading and again before installing. Does neither while this console drives a run: an update would leave nodes half in maintenance. */
export function followUpdates(source: UpdateSource | null, parts: UpdateParts): Updates {
  const following: Following = {
    source,
    parts,
    state: source === null ? { kind: 'no-source' } : { kind: 'resting' },
    isAsking: false,
    later: null,
  }
  return {
    state: () => following.state,
    workChanged: () => {
      const { state, later } = following
      if ((state.kind === 'found' || state.kind === 'ready') && state.version !== later) void goOn(following)
    },
    look: byHand => look(following, byHand),
  }
}

async function look(following: Following, byHand: boolean): Promise<void> {
  const { source, parts } = following
  if (source === null || following.isAsking) return
  if (following.state.kind === 'resting' && !(await readVersion(following, source, byHand))) return
  const { state } = following
  if (state.kind === 'resting') {
    if (byHand) {
      await report(parts, `Lockkeeper ${parts.version} is up to date.`, 'The update server has no newer version.')
    }
  } else if (state.kind === 'found' || state.kind === 'ready') {
    if (!byHand && state.version === following.later) return
    if (byHand && parts.isBusy()) {
      following.later = null
      await report(
        parts,
        `Lockkeeper ${state.version} has to wait.`,
        'This console has an active run or answers requests. It asks you when that has ended.',
      )
    } else await goOn(following)
  }
}

/** Reads the newest version from the update server; returns whether the server answered. */
async function readVersion(following: Following, source: UpdateSource, byHand: boolean): Promise<boolean> {
  become(following, { kind: 'looking' })
  try {
    const version = await source.look()
    become(following, version === null ? { kind: 'resting' } : { kind: 'found', version })
    return true
  } catch (reason) {
    become(following, { kind: 'resting' })
    if (byHand) await reportFailure(following.parts, 'Could not check for updates.', reason)
    else following.parts.log.warn('update-check-failed', { reason: wordsOf(reason) })
    return false
  }
}

/** Does the next step of the known update, if the operator agrees. */
async function goOn(following: Following): Promise<void> {
  const { source, parts, state } = following
  if (following.isAsking || parts.isBusy() || source === null) return
  if (state.kind === 'found') await offerFetch(following, source, state.version)
  else if (state.kind === 'ready') await offerInstall(following, source, state.version)
}

async function offerFetch(following: Following, source: UpdateSource, version: string): Promise<void> {
  const { parts } = following
  const detail = `You have ${parts.version}. Lockkeeper downloads and verifies the new version now, and asks again before installing it.`
  if (!(await agrees(following, `Lockkeeper ${version} is available.`, detail, 'Download it'))) {
    following.later = version
    become(following, { kind: 'resting' })
    return
  }
  following.later = null
  become(following, { kind: 'fetching', version })
  try {
    await source.fetch()
  } catch (reason) {
    become(following, { kind: 'resting' })
    await reportFailure(parts, `Lockkeeper ${version} could not be downloaded or verified.`, reason)
    return
  }
  become(following, { kind: 'ready', version })
  await goOn(following)
}

async function offerInstall(following: Following, source: UpdateSource, version: string): Promise<void> {
  const detail =
    'Lockkeeper quits, installs the update and starts again. This console has no active runs; your data stays.'
  if (!(await agrees(following, `Lockkeeper ${version} is ready to install.`, detail, 'Install and restart'))) {
    following.later = version
    return
  }
  // A run may have started while the question was open: then it is asked again after the run.
  if (following.parts.isBusy()) return
  become(following, { kind: 'installing', version })
  source.install(reason => {
    become(following, { kind: 'ready', version })
    following.later = version
    void reportFailure(following.parts, `Lockkeeper ${version} was not installed.`, reason)
  })
}

function become(following: Following, next: UpdateState): void {
  following.state = next
  following.parts.onChange(next)
}

async function agrees(following: Following, message: string, detail: string, yes: string): Promise<boolean> {
  following.isAsking = true
  const buttons = [yes, 'Later']
  const options: MessageBoxOptions = { type: 'question', title: 'Lockkeeper', message, detail, buttons, noLink: true }
  const { response } = await following.parts.showDialog({ ...options, defaultId: 1, cancelId: 1 }).finally(() => {
    following.isAsking = false
  })
  return response === 0
}

async function report({ showDialog }: UpdateParts, message: string, detail: string): Promise<void> {
  await showDialog({ type: 'info', title: 'Lockkeeper', message, detail, buttons: ['Close'], noLink: true })
}

async function reportFailure(parts: UpdateParts, message: string, reason: unknown): Promise<void> {
  parts.log.warn(message, { reason: wordsOf(reason) })
  await report(parts, message, `${wordsOf(reason)} The current version stays installed.`)
}

function wordsOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
