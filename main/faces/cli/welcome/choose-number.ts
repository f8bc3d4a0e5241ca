import type { CommandContext } from '../command.ts'
import { askLine } from '../follow/questions.ts'
import { hang } from '../words/width.ts'

export interface Option<T> {
  readonly words: string
  readonly value: T
}

type Asking = Pick<CommandContext, 'printer' | 'io'>

/** Prints the options, each with a number. */
export function sayOptions(options: readonly Option<unknown>[], { printer }: Pick<Asking, 'printer'>): void {
  for (const [at, { words }] of options.entries()) {
    printer.say(...hang(`  ${String(at + 1).padStart(2)}  `, words, printer.look.columns))
  }
}

/** Prints the options and asks for a number; null when the input ended. */
export async function chooseNumber<T>(
  question: string,
  options: readonly Option<T>[],
  asking: Asking,
  signal: AbortSignal,
): Promise<T | null> {
  sayOptions(options, asking)
  for (;;) {
    const line = await askLine(`${question} (1-${options.length})`, asking, signal)
    if (line === null) return null
    const chosen = /^\d{1,3}$/.test(line) ? options[Number(line) - 1] : undefined
    if (chosen !== undefined) return chosen.value
    asking.printer.say(`Type a number from 1 to ${options.length}.`)
  }
}

/** The numbers of a line such as `1,3` or `all`, each once; null if the line has anything else. */
export function numbersIn(line: string, most: number): readonly number[] | null {
  if (line.trim().toLowerCase() === 'all') return Array.from({ length: most }, (_, at) => at + 1)
  const words = line.split(/[\s,]+/).filter(word => word !== '')
  const numbers = words.map(word => (/^\d{1,3}$/.test(word) ? Number(word) : 0))
  return numbers.every(each => each >= 1 && each <= most) ? [...new Set(numbers)] : null
}
