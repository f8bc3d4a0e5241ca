import type { CliProcess, OutputChannel } from './process-io.ts'
import { cleanText } from './words/clean-text.ts'
import { type CommandsHere, withCommandsHere } from './words/commands-here.ts'
import { jsonText } from './words/json-text.ts'
import { type Look, lookOf } from './words/look.ts'

/** The output of a command. With `-o json` only JSON goes to standard output; text goes to standard error, as warnings and failures always do. */
export interface Printer {
  readonly json: boolean
  readonly verbose: boolean
  readonly look: Look
  readonly warningLook: Look
  /** The channel for text, used for redrawing in place. */
  readonly channel: OutputChannel
  say(...lines: readonly string[]): void
  /** A prompt, without a line break. */
  prompt(text: string): void
  /** Warnings and failures, which must not end up in redirected output. */
  warn(...lines: readonly string[]): void
  value(value: unknown): void
}

/** Lockkeeper's commands in the text are adapted to this terminal. */
export function createPrinter(
  io: Pick<CliProcess, 'env' | 'out' | 'err' | 'clockChoice'>,
  options: { readonly json: boolean; readonly verbose: boolean; readonly noColor: boolean },
  commands: CommandsHere,
): Printer {
  const { env, out, err, clockChoice } = io
  const channel = options.json ? err : out
  // With JSON the answers stay unchanged, so text is cleaned here; colours would be cleaned away too.
  const more = { noColor: options.noColor || options.json, clock: clockChoice }
  const look = lookOf(channel, env, more)
  const warningLook = lookOf(err, env, more)
  const write = (to: OutputChannel, how: Look, text: string) => {
    const pasted = withCommandsHere(text, commands)
    to.write(how.ansi ? pasted : cleanText(pasted))
  }
  return {
    json: options.json,
    verbose: options.verbose,
    look,
    warningLook,
    channel,
    say: (...lines) => {
      for (const line of lines) write(channel, look, `${line}\n`)
    },
    prompt: text => write(channel, look, text),
    warn: (...lines) => {
      for (const line of lines) write(err, warningLook, `${line}\n`)
    },
    value: value => out.write(`${jsonText(value)}\n`),
  }
}
