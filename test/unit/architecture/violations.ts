import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { importsOf, type Token, tokenize } from './lexer.ts'
import { ROOMS, type Room } from './rooms.ts'

const FACES = ['main/faces/electron', 'main/faces/serve', 'main/faces/cli']

/** The rules of the house a source file breaks, one sentence each; `file` is its path from the project's folder. */
export function violationsOf(file: string, source: string): readonly string[] {
  const room = roomOf(file)
  if (room === undefined) return [`${file}: no room of test/unit/architecture/rooms.ts holds this file`]
  const imports = importsOf(source).flatMap(({ from, types, line }) => {
    const problem = importProblem(room, file, from, types)
    return problem === null ? [] : [`${file}:${line}: ${problem}`]
  })
  const clock = room.ownClock === true ? [] : clockUses(source).map(use => `${file}:${use}`)
  return [...imports, ...clock]
}

/** The room a file belongs to: the longest path that is the file, its folder, or the beginning of its name. */
export function roomOf(file: string): Room | undefined {
  return ROOMS.filter(room => isWithin(file, room.path)).sort((one, other) => other.path.length - one.path.length)[0]
}

function importProblem(room: Room, file: string, from: string, types: boolean): string | null {
  if (from === '(computed)') return 'imports a module whose name is only known when it runs'
  if (from.startsWith('.')) return fileProblem(room, posix.join(posix.dirname(file), from), types)
  if (from.startsWith('node:')) {
    return room.builtins?.includes(from.slice('node:'.length)) ? null : `${room.path} may not import ${from}`
  }
  if (isBuiltin(from)) return `imports ${from} without node: before it`
  const name = from.split('/', from.startsWith('@') ? 2 : 1).join('/')
  return room.packages?.includes(name) ? null : `${room.path} may not import the package ${name}`
}

function fileProblem(room: Room, target: string, types: boolean): string | null {
  const ownRoom = roomOf(target)
  if (ownRoom === room || isWithin(target, room.path)) return null
  // The composition root is everybody's reader but the faces': they start it.
  if (room.path === 'main/app.ts' && FACES.some(face => isWithin(target, face)))
    return `may not import the face ${target}`
  if (room.imports.some(allowed => isWithin(target, allowed))) return null
  if (room.types?.some(allowed => isWithin(target, allowed))) {
    return types ? null : `${room.path} may import only types of ${target}`
  }
  return `${room.path} may not import ${target}`
}

/** Uses of the machine's clock and chance, which belong to main/clock (docs/style.md G23). */
function clockUses(source: string): readonly string[] {
  const tokens = tokenize(source)
  const is = (index: number, ...values: readonly string[]) =>
    values.every((value, offset) => isCode(tokens[index + offset], value))
  return tokens.flatMap((token, index) => {
    const use =
      (['setTimeout', 'setInterval', 'setImmediate'].find(name => is(index, name)) ?? null) ||
      (is(index, 'Date', '.', 'now') && 'Date.now') ||
      (is(index, 'Math', '.', 'random') && 'Math.random') ||
      (is(index, 'performance', '.', 'now') && 'performance.now') ||
      (is(index, 'new', 'Date', '(', ')') && 'new Date()') ||
      (is(index, 'new', 'Date') && !is(index + 2, '(') && 'new Date')
    return use ? [`${token.line}: uses ${use}; take time and chance from the Clock`] : []
  })
}

function isCode(token: Token | undefined, value: string): boolean {
  return token !== undefined && token.kind !== 'text' && token.value === value
}

function isWithin(file: string, path: string): boolean {
  return file === path || file.startsWith(path.endsWith('-') ? path : `${path}/`)
}
