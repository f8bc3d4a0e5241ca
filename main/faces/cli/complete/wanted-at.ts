import type { CommandSpec, FlagSpec } from '../arguments/argument-specs.ts'
import type { OfferedWord } from '../command.ts'

/** What is possible at the cursor: known words, names that the application knows, or a file. */
export type Wanted =
  | { readonly kind: 'words'; readonly words: readonly OfferedWord[] }
  /** The next word of a longer command, or a name: `report verify`, or `report RUN`. */
  | { readonly kind: 'either'; readonly words: readonly OfferedWord[]; readonly names: Named }
  | Named

type Named =
  | { readonly kind: 'clusters' }
  /** Nodes of the cluster that the line names. `several`: separated by commas. */
  | { readonly kind: 'nodes'; readonly cluster: string; readonly several: boolean }
  | { readonly kind: 'runs' }
  /** Runs, and MaintenanceRuns that have not started. */
  | { readonly kind: 'runs-and-asked' }
  | { readonly kind: 'windows' }
  | { readonly kind: 'runs-and-windows' }
  | { readonly kind: 'clusters-and-windows' }
  | { readonly kind: 'files' }

const ASKED: Named = { kind: 'runs-and-asked' }
const NOTHING: Wanted = { kind: 'words', words: [] }

/** What is possible as the last of these words, which follow `lockkeeper`; the last word may be incomplete or empty. */
export function wantedAt(
  line: readonly string[],
  commands: readonly CommandSpec[],
  globals: readonly FlagSpec[],
): Wanted {
  const before = line.slice(0, -1)
  const last = line.at(-1) ?? ''
  const all = [...globals, ...commands.flatMap(({ flags }) => flags)]
  const { plain, open } = readWords(before, all)
  const command = commands
    .filter(({ path }) => path.every((word, index) => plain[index] === word))
    .sort((one, other) => other.path.length - one.path.length)[0]
  const own = [...(command?.flags ?? []), ...globals]
  const cluster = clusterIn(plain, command)
  if (open !== null) return valuesOf(own.find(({ name }) => name === open.name) ?? open, cluster)
  const attached = /^--([^=]+)=/.exec(last)?.[1]
  if (attached !== undefined) {
    const flag = [...own, ...all].find(({ name }) => name === attached)
    return flag === undefined ? NOTHING : valuesOf(flag, cluster)
  }
  if (last.startsWith('-')) return { kind: 'words', words: own.map(flagWord) }
  const further = nextWords(plain, commands)
  if (command === undefined) return { kind: 'words', words: further }
  const values = plain.slice(command.path.length)
  const several = command.operands.findIndex(operand => operand.several === true)
  const index = several !== -1 && values.length > several ? several : values.length
  const operand = command.operands[index]
  if (operand === undefined) return { kind: 'words', words: further }
  if (operand.choices !== undefined) return { kind: 'words', words: [...further, ...operand.choices.map(asWord)] }
  const named = operand.asked ? ASKED : namesOf(operand.name, cluster, command)
  if (named === null) return { kind: 'words', words: further }
  return values.length === 0 && further.length > 0 ? { kind: 'either', words: further, names: named } : named
}

/** The cluster that the line already names. */
function clusterIn(plain: readonly string[], command: CommandSpec | undefined): string | undefined {
  if (command === undefined) return undefined
  return plain.slice(command.path.length)[command.operands.findIndex(({ name }) => name === 'CLUSTER')]
}

function namesOf(operand: string, cluster: string | undefined, { path }: CommandSpec): Named | null {
  switch (operand) {
    case 'CLUSTER':
      return { kind: 'clusters' }
    case 'NAME':
      // Existing clusters only: the name for `cluster add` is new.
      return path[0] === 'cluster' && path[1] !== 'add' ? { kind: 'clusters' } : null
    case 'NODE':
      return cluster === undefined ? null : { kind: 'nodes', cluster, several: false }
    case 'RUN':
      return { kind: 'runs' }
    case 'WINDOW':
      return { kind: 'windows' }
    case 'CLUSTER|WINDOW':
      return { kind: 'clusters-and-windows' }
    case 'RUN|WINDOW':
      return { kind: 'runs-and-windows' }
    case 'FILE':
      return { kind: 'files' }
    default:
      return null
  }
}

/** The words before the cursor without flags and their values, and the flag whose value comes next. */
function readWords(
  words: readonly string[],
  flags: readonly FlagSpec[],
): { readonly plain: readonly string[]; readonly open: FlagSpec | null } {
  const plain: string[] = []
  let open: FlagSpec | null = null
  for (const word of words) {
    if (open !== null) open = null
    else if (word.startsWith('-')) {
      const flag = flags.find(({ name, short }) => word === `--${name}` || word === `-${short}`)
      open = flag !== undefined && !['switch', 'optional-choice'].includes(flag.value.kind) ? flag : null
    } else plain.push(word)
  }
  return { plain, open }
}

function valuesOf({ name, value }: FlagSpec, cluster: string | undefined): Wanted {
  if (value.kind === 'choice') return { kind: 'words', words: value.choices.map(asWord) }
  if (name === 'cluster' || name === 'confirm-cluster') return { kind: 'clusters' }
  if (value.kind === 'optional-choice') return { kind: 'words', words: value.choices.map(asWord) }
  if (value.kind === 'text' && value.placeholder.startsWith('NODES') && cluster !== undefined) {
    return { kind: 'nodes', cluster, several: true }
  }
  if (name === 'window') return { kind: 'windows' }
  return value.kind === 'text' && /^(?:FILE|DIR)/.test(value.placeholder) ? { kind: 'files' } : NOTHING
}

function flagWord({ name, help }: FlagSpec): OfferedWord {
  return { word: `--${name}`, about: help }
}

/** The words that continue a command: `run` continues with `show`, `resume` and more. */
function nextWords(plain: readonly string[], commands: readonly CommandSpec[]): readonly OfferedWord[] {
  const next = new Map<string, string>()
  for (const { path, summary } of commands) {
    const word = path[plain.length]
    if (word === undefined || !plain.every((each, index) => each === path[index])) continue
    const known = next.get(word)
    next.set(word, known === undefined || path.length === plain.length + 1 ? summary : known)
  }
  return [...next].map(([word, about]) => ({ word, about }))
}

function asWord(word: string): OfferedWord {
  return { word, about: '' }
}
