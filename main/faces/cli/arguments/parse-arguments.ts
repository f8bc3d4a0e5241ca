import type { CommandSpec, FlagSpec, OperandSpec } from './argument-specs.ts'
import { nearestWord } from './nearest-word.ts'
import { parseDuration } from './parse-duration.ts'
import { type FlagReading, ParsedArguments } from './parsed-arguments.ts'

export type Request =
  | { readonly kind: 'run'; readonly command: CommandSpec; readonly args: ParsedArguments }
  /** Help about a command, a group of commands such as `cluster`, or everything (an empty path). */
  | { readonly kind: 'help'; readonly path: readonly string[] }
  | { readonly kind: 'version' }
  /** No command, only global flags or nothing; `message` asks for a command. */
  | { readonly kind: 'no-command'; readonly args: ParsedArguments; readonly message: string }
  | { readonly kind: 'usage-error'; readonly message: string; readonly path: readonly string[] }

/** Parses a command line by the table. Flags may come anywhere; `--` ends them. */
export function parseArguments(
  words: readonly string[],
  commands: readonly CommandSpec[],
  globalFlags: readonly FlagSpec[],
): Request {
  const { before, after } = splitAtDashes(words)
  const path = pathOf(before, commands, globalFlags)
  const command = commands.find(candidate => samePath(candidate.path, path))
  const own = command?.flags ?? groupFlags(path, commands)
  const flags = [...flagsLeft(globalFlags, own), ...own]
  const scanned = scan(before, flags)
  const typed = [...scanned.words, ...after]
  if (typed[0] === 'help') return { kind: 'help', path: longestPath(typed.slice(1), commands) }
  if (scanned.flags.has('help')) return { kind: 'help', path }
  if (scanned.flags.has('version')) return { kind: 'version' }
  const problem = (message: string): Request => ({ kind: 'usage-error', message, path })
  if (typed.length === 0 && scanned.problem === null) {
    return { kind: 'no-command', args: new ParsedArguments({}, scanned.flags), message: unknown([], [], commands) }
  }
  if (command === undefined) {
    // An unknown command explains an unknown flag better than the flag does.
    return problem(
      typed.length === path.length && scanned.problem !== null ? scanned.problem : unknown(typed, path, commands),
    )
  }
  if (scanned.problem !== null) return problem(scanned.problem)
  const operands = readOperands(typed.slice(path.length), command)
  if (typeof operands === 'string') return problem(operands)
  return { kind: 'run', command, args: new ParsedArguments(operands.single, scanned.flags, operands.several) }
}

/** Global flags that the command does not redefine. */
export function flagsLeft(flags: readonly FlagSpec[], own: readonly FlagSpec[]): readonly FlagSpec[] {
  return flags.filter(({ name }) => own.every(flag => flag.name !== name))
}

function splitAtDashes(words: readonly string[]): { before: readonly string[]; after: readonly string[] } {
  const at = words.indexOf('--')
  return at < 0 ? { before: words, after: [] } : { before: words.slice(0, at), after: words.slice(at + 1) }
}

/** The command is the first words that are not flags; values of flags before it are skipped. */
function pathOf(
  words: readonly string[],
  commands: readonly CommandSpec[],
  globalFlags: readonly FlagSpec[],
): readonly string[] {
  const all = [...globalFlags, ...commands.flatMap(command => command.flags)]
  const valued = all.filter(takesNextWord)
  const plain: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) plain.push(word)
    else if (valued.some(flag => isWrittenAs(flag, word)) && !isFlagLike(words[at + 1] ?? '-?')) at += 1
  }
  return longestPath(plain, commands)
}

/** The command in words: `cluster webhook add`. */
const LONGEST_PATH = 3

function longestPath(words: readonly string[], commands: readonly CommandSpec[]): readonly string[] {
  for (let length = Math.min(LONGEST_PATH, words.length); length > 0; length--) {
    const path = words.slice(0, length)
    const isPath = commands.some(({ path: full }) => samePath(full.slice(0, length), path))
    if (isPath) return path
  }
  return []
}

function groupFlags(path: readonly string[], commands: readonly CommandSpec[]): readonly FlagSpec[] {
  const own = path.length === 0 ? [] : commands.filter(command => samePath(command.path.slice(0, path.length), path))
  return own.flatMap(command => command.flags)
}

function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index])
}

interface Scan {
  readonly words: readonly string[]
  readonly flags: ReadonlyMap<string, readonly FlagReading[]>
  readonly problem: string | null
}

function scan(words: readonly string[], specs: readonly FlagSpec[]): Scan {
  const plain: string[] = []
  const flags = new Map<string, readonly FlagReading[]>()
  let problem: string | null = null
  const fail = (message: string) => {
    problem ??= message
  }
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('-') || word === '-') {
      plain.push(word)
      continue
    }
    const { typed, attached } = splitFlag(word)
    const spec = specs.find(flag => isWrittenAs(flag, typed))
    if (spec === undefined) {
      fail(unknownFlag(typed, specs))
      continue
    }
    const next = words[at + 1]
    const takesNext = takesNextWord(spec) && attached === null && next !== undefined && !isFlagLike(next)
    if (takesNext) at += 1
    const reading = readFlag(spec, attached ?? (takesNext ? (next ?? null) : null), attached !== null)
    if ('problem' in reading) fail(reading.problem)
    else if (flags.has(spec.name) && spec.repeatable !== true && spec.value.kind !== 'switch')
      fail(`--${spec.name} was given twice.`)
    else flags.set(spec.name, [...(flags.get(spec.name) ?? []), reading.value])
  }
  return { words: plain, flags, problem }
}

/** `--flag=value`, `-ovalue` and `-o=value` contain their value. */
function splitFlag(word: string): { readonly typed: string; readonly attached: string | null } {
  if (word.startsWith('--')) {
    const at = word.indexOf('=')
    return at < 0 ? { typed: word, attached: null } : { typed: word.slice(0, at), attached: word.slice(at + 1) }
  }
  const rest = word.slice(2)
  return { typed: word.slice(0, 2), attached: rest === '' ? null : rest.replace(/^=/, '') }
}

function isWrittenAs(flag: FlagSpec, word: string): boolean {
  return word === `--${flag.name}` || (flag.short !== undefined && word === `-${flag.short}`)
}

function takesNextWord({ value }: FlagSpec): boolean {
  return value.kind !== 'switch' && value.kind !== 'optional-choice'
}

function isFlagLike(word: string): boolean {
  return word.length > 1 && word.startsWith('-')
}

function readFlag(
  spec: FlagSpec,
  text: string | null,
  attached: boolean,
): { readonly value: FlagReading } | { readonly problem: string } {
  const { value } = spec
  if (value.kind === 'switch') {
    return attached ? { problem: `--${spec.name} takes no value.` } : { value: true }
  }
  if (value.kind === 'optional-choice' && !attached) return { value: value.bare }
  if (text === null || text.trim() === '') {
    return {
      problem: `--${spec.name} needs a value: ${usageOfFlag(spec)}. (A value that starts with a dash: --${spec.name}=VALUE.)`,
    }
  }
  switch (value.kind) {
    case 'text':
      return { value: text }
    case 'choice':
    case 'optional-choice': {
      if (value.choices.includes(text)) return { value: text }
      return {
        problem: `--${spec.name} takes ${value.choices.join(' or ')}, not ${text}.${didYouMean(nearestWord(text, value.choices))}`,
      }
    }
    case 'count': {
      const amount = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
      if (amount >= value.least && amount <= value.most) return { value: amount }
      return { problem: `--${spec.name} takes a whole number from ${value.least} to ${value.most}, not ${text}.` }
    }
    case 'duration': {
      const ms = parseDuration(text)
      return ms === null
        ? { problem: `--${spec.name} takes a duration such as 90s, 30m, 1h30m, or 0 for no limit, not ${text}.` }
        : { value: ms }
    }
  }
}

/** How a flag is written: `--scope drain|os`, `-o, --output json|table`. */
export function usageOfFlag(spec: FlagSpec): string {
  const short = spec.short === undefined ? '' : `-${spec.short}, `
  const { value } = spec
  switch (value.kind) {
    case 'switch':
      return `${short}--${spec.name}`
    case 'choice':
      return `${short}--${spec.name} ${value.choices.join('|')}`
    case 'optional-choice':
      return `${short}--${spec.name}[=${value.choices.join('|')}]`
    default:
      return `${short}--${spec.name} ${value.placeholder}`
  }
}

function unknownFlag(typed: string, specs: readonly FlagSpec[]): string {
  const names = specs.map(flag => flag.name)
  const near = typed.startsWith('--') ? nearestWord(typed.slice(2), names) : null
  return `This command has no flag ${typed}.${didYouMean(near === null ? null : `--${near}`)}`
}

function didYouMean(word: string | null): string {
  return word === null ? '' : ` Did you mean ${word}?`
}

function unknown(words: readonly string[], path: readonly string[], commands: readonly CommandSpec[]): string {
  const inGroup = commands.filter(command => samePath(command.path.slice(0, path.length), path))
  const nextWords = [...new Set(inGroup.map(command => command.path[path.length] ?? ''))]
  const typed = words[path.length]
  const place = path.length === 0 ? '' : ` of \`${path.join(' ')}\``
  if (typed === undefined) return `Name a command${place}: ${nextWords.join(', ')}.`
  return `There is no command ${[...path, typed].join(' ')}.${didYouMean(meantCommand(typed, path, nextWords))}`
}

function meantCommand(typed: string, path: readonly string[], words: readonly string[]): string | null {
  const near = nearestWord(typed, words)
  return near === null ? null : [...path, near].join(' ')
}

interface Operands {
  readonly single: Readonly<Record<string, string>>
  readonly several: readonly string[]
}

function readOperands(words: readonly string[], command: CommandSpec): Operands | string {
  const specs = command.operands
  const at = specs.findIndex(({ several }) => several === true)
  const end = at < 0 ? 0 : Math.max(at + 1, words.length - (specs.length - at - 1))
  const several = at < 0 ? [] : words.slice(at, end)
  const places = at < 0 ? words : [...words.slice(0, at + 1), ...words.slice(end)]
  const extra = places[specs.length]
  if (extra !== undefined) return `\`${command.path.join(' ')}\` does not take ${extra}.`
  const single: Record<string, string> = {}
  for (const [index, spec] of specs.entries()) {
    const word = places[index]
    const problem = operandProblem(word, spec, command)
    if (problem !== null) return problem
    if (word !== undefined) single[spec.name] = word
  }
  return { single, several }
}

function operandProblem(word: string | undefined, spec: OperandSpec, command: CommandSpec): string | null {
  if (word === undefined || word === '') {
    return spec.required ? `\`${command.path.join(' ')}\` needs ${spec.name}: ${spec.help}` : null
  }
  if (spec.choices === undefined || spec.choices.includes(word)) return null
  return `${spec.name} is one of ${spec.choices.join(', ')}, not ${word}.${didYouMean(nearestWord(word, spec.choices))}`
}
