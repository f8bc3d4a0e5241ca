import type { CliProcess, OutputChannel } from './process-io.ts'
import { cleanText } from './words/clean-text.ts'
import { type CommandsHere, withCommandsHere } from './words/commands-here.ts'
import { jsonText } from './words/json-text.ts'
import { type Look, lookOf } from './words/look.ts'

/**
 * Where a command writes. With `-o json` only JSON goes to standard output and everything for people to standard error; warnings and
 * failures go to standard error always.
 */
export interface Printer {
  readonly json: boolean
  readonly verbose: boolean
  /** The look of {@link Printer.say}. */
  readonly look: Look
  /** The look of {@link Printer.warn}. */
  readonly warningLook: Look
  /** The channel for people, for what is redrawn in place. */
  readonly channel: OutputChannel
  /** Lines for people. */
  say(...lines: readonly string[]): void
  /** A prompt: no line break after it. */
  prompt(text: string): void
  /** Warnings and failures, which must not end up in a file that was asked for as the answer. */
  warn(...lines: readonly string[]): void
  /** The answer, with `-o json`. */
  value(value: unknown): void
}

/** The printer for one command line. Commands of ours in what people read become those that work in this terminal. */
export function createPrinter(
  io: Pick<CliProcess, 'env' | 'out' | 'err' | 'clockChoice'>,
  options: { readonly json: boolean; readonly verbose: boolean; readonly noColor: boolean },
  commands: CommandsHere,
): Printer {
  const { env, out, err, clockChoice } = io
  const channel = options.json ? err : out
  // With JSON the answers are taken as they are, so what people see of them is cleaned here; our own colours would go with it.
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
