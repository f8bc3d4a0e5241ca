import type { Printer } from '../printer.ts'
import type { CliProcess } from '../process-io.ts'

export interface Choice<T extends string> {
  readonly key: string
  readonly value: T
  readonly label: string
}

type Asking = { readonly printer: Printer; readonly io: Pick<CliProcess, 'readLine'> }

/** Asks until the operator types the key or word of a choice; null when the input ended or the question was withdrawn. */
export async function choose<T extends string>(
  question: string,
  choices: readonly Choice<T>[],
  { printer, io }: Asking,
  signal: AbortSignal,
): Promise<T | null> {
  for (;;) {
    printer.prompt(`${question} ${choices.map(({ label }) => label).join(' / ')}: `)
    const line = await io.readLine(signal)
    if (line === null) return null
    const typed = line.trim().toLowerCase()
    const found = choices.find(({ key, value }) => typed === key || typed === value)
    if (found !== undefined) return found.value
    printer.say(`Type one of ${choices.map(({ key }) => key).join(', ')}.`)
  }
}

/** Asks for a line of text; null when the input ended or the question was withdrawn. */
export async function askLine(question: string, { printer, io }: Asking, signal: AbortSignal): Promise<string | null> {
  printer.prompt(`${question}: `)
  const line = await io.readLine(signal)
  return line === null ? null : line.trim()
}

/** Asks yes or no; anything but a typed yes is no. */
export async function confirm(question: string, { printer, io }: Asking, signal: AbortSignal): Promise<boolean> {
  printer.prompt(`${question} [y/N] `)
  const line = await io.readLine(signal)
  return line !== null && /^y(?:es)?$/i.test(line.trim())
}
