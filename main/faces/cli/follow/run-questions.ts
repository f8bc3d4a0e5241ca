import type { GateChoice } from '../../../../shared/domain/gate-choice.ts'
import type { InstanceChoice } from '../../../../shared/domain/instance-choice.ts'
import type { CommandContext } from '../command.ts'
import { askLine, type Choice, choose } from './questions.ts'

export type Decision =
  | { readonly kind: 'continue' }
  | { readonly kind: 'detach' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'unpause' }
  | { readonly kind: 'abort'; readonly reason: string }
  | {
      readonly kind: 'decide'
      readonly instanceId: string
      readonly choice: InstanceChoice
      readonly reason: string
    }
  | { readonly kind: 'answer'; readonly gateId: string; readonly choice: GateChoice; readonly reason: string }

const DETACH: Choice<'detach'> = { key: 'd', value: 'detach', label: '[d]etach' }
const PAUSE: Choice<'pause'> = { key: 'p', value: 'pause', label: '[p]ause' }
const ABORT: Choice<'abort'> = { key: 'a', value: 'abort', label: '[a] stop' }
const CONTINUE: Choice<'continue'> = { key: 'c', value: 'continue', label: '[c]ontinue' }
const RETRY: Choice<'retry'> = { key: 'r', value: 'retry', label: '[r] try again' }
const SKIP: Choice<'skip'> = { key: 's', value: 'skip', label: '[s] skip the step' }
const GATE_CHOICES: Readonly<Record<GateChoice, Choice<GateChoice>>> = {
  continue: CONTINUE,
  retry: RETRY,
  skip: SKIP,
  abort: ABORT,
}

/** The question after Ctrl-C. When the input ends it detaches, which loses nothing. */
export async function askHowToStop(context: CommandContext, signal: AbortSignal): Promise<Decision> {
  const decided = await choose('Stop here?', [DETACH, PAUSE, ABORT, CONTINUE], context, signal)
  return decided === 'abort' ? askAbort(context, signal) : { kind: decided ?? 'detach' }
}

export async function askPaused(context: CommandContext, signal: AbortSignal): Promise<Decision> {
  const decided = await choose('Paused.', [CONTINUE, DETACH, ABORT], context, signal)
  if (decided === 'abort') return askAbort(context, signal)
  return { kind: decided === 'continue' ? 'unpause' : 'detach' }
}

/** The question of a gate with its choices. */
export async function askGate(
  gate: { readonly gateId: string; readonly question: string; readonly choices: readonly GateChoice[] },
  context: CommandContext,
  signal: AbortSignal,
): Promise<Decision> {
  const decided = await choose(
    gate.question,
    [...gate.choices.map(choice => GATE_CHOICES[choice]), DETACH],
    context,
    signal,
  )
  if (decided === null || decided === 'detach') return { kind: 'detach' }
  const reason = decided === 'abort' ? await askWhyStopped(context, signal) : ''
  return reason === null ? { kind: 'detach' } : { kind: 'answer', gateId: gate.gateId, choice: decided, reason }
}

/** The question about one instance while the others continue. */
export async function askAboutInstance(
  asked: {
    readonly id: string
    readonly name: string
    readonly cause: string
    readonly choices: readonly InstanceChoice[]
  },
  context: CommandContext,
  signal: AbortSignal,
): Promise<Decision> {
  const decided = await choose(
    `${asked.name} (${asked.id}): ${asked.cause}. The others continue.`,
    [
      ...asked.choices.map((choice, index) => ({
        key: String(index + 1),
        value: choice,
        label: `[${index + 1}] ${choice}`,
      })),
      DETACH,
    ],
    context,
    signal,
  )
  if (decided === null || decided === 'detach') return { kind: 'detach' }
  return { kind: 'decide', instanceId: asked.id, choice: decided, reason: '' }
}

/** The same decision with a reason, after the cloud's policy asked for one. */
export async function askWhy(
  decision: Extract<Decision, { readonly reason: string }>,
  context: CommandContext,
  signal: AbortSignal,
): Promise<Decision> {
  const reason = await askLine('Why (kept with the run)', context, signal)
  return reason === null || reason === '' ? { kind: 'detach' } : { ...decision, reason }
}

/** A stop needs no reason; null if the input ended. */
function askWhyStopped(context: CommandContext, signal: AbortSignal): Promise<string | null> {
  return askLine('Why (optional, kept with the run)', context, signal)
}

async function askAbort(context: CommandContext, signal: AbortSignal): Promise<Decision> {
  const reason = await askWhyStopped(context, signal)
  return reason === null ? { kind: 'detach' } : { kind: 'abort', reason }
}
