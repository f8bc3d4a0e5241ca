import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { ROOMS, type Room } from './rooms.ts'
import type { Source } from './source.ts'

/** What a wing shows: its services, its commands and its screens. */
const DOORS = ['door.ts', 'cli/door.ts', 'door.tsx']

const FACES = ['main/faces/electron', 'main/faces/serve', 'main/faces/cli']

/** The import rules that a source file breaks, one sentence each; `file` is its path from the project's folder. */
export function violationsOf(file: string, { imports, clockUses, lineOf }: Source): readonly string[] {
  const room = roomOf(file)
  if (room === undefined) return [`${file}: no room of test/unit/architecture/rooms.ts holds this file`]
  const problems = imports.flatMap(({ from, types, place }) => {
    const problem = importProblem(room, file, from, types)
    return problem === null ? [] : [`${file}:${lineOf(place)}: ${problem}`]
  })
  if (room.ownClock === true) return problems
  return [
    ...problems,
    ...clockUses.map(({ use, place }) => `${file}:${lineOf(place)}: uses ${use}; take time and chance from the Clock`),
  ]
}

/** The room of a file: the longest path that is the file, its folder, or the beginning of its name. */
export function roomOf(file: string): Room | undefined {
  return ROOMS.filter(room => isWithin(file, room.path)).sort((one, other) => other.path.length - one.path.length)[0]
}

function importProblem(room: Room, file: string, from: string | null, types: boolean): string | null {
  if (from === null) return 'imports a module whose name is only known when it runs'
  if (from.startsWith('.')) return fileProblem(room, file, posix.join(posix.dirname(file), from), types)
  if (from.startsWith('node:')) {
    return room.builtins?.includes(from.slice('node:'.length)) ? null : `${room.path} may not import ${from}`
  }
  if (isBuiltin(from)) return `imports ${from} without node: before it`
  const name = from.split('/', from.startsWith('@') ? 2 : 1).join('/')
  return room.packages?.includes(name) ? null : `${room.path} may not import the package ${name}`
}

function fileProblem(room: Room, file: string, target: string, types: boolean): string | null {
  const ownRoom = roomOf(target)
  if (ownRoom === room || isWithin(target, room.path)) return null
  const wing = /^(?:main|renderer)\/wings\/[^/]+\//.exec(target)?.[0]
  if (wing !== undefined && !file.startsWith(wing) && !DOORS.some(door => target === `${wing}${door}`))
    return `may import of ${wing.slice(0, -1)} only its doors`
  // The composition root is everybody's reader but the faces': they start it.
  if (room.path === 'main/app.ts' && FACES.some(face => isWithin(target, face)))
    return `may not import the face ${target}`
  if (room.imports.some(allowed => isWithin(target, allowed))) return null
  if (room.types?.some(allowed => isWithin(target, allowed))) {
    return types ? null : `${room.path} may import only types of ${target}`
  }
  return `${room.path} may not import ${target}`
}

function isWithin(file: string, path: string): boolean {
  return file === path || file.startsWith(path.endsWith('-') ? path : `${path}/`)
}

/** The first circle of files or rooms, in its order; empty: there is none. A file that imports itself is not a circle. */
export function circleIn(edges: readonly (readonly [string, string])[]): readonly string[] {
  const targets = Map.groupBy(edges, ([from]) => from)
  const done = new Set<string>()
  const walk = (name: string, path: readonly string[]): readonly string[] => {
    if (path.includes(name)) return path.slice(path.indexOf(name))
    if (done.has(name)) return []
    for (const [, to] of targets.get(name) ?? []) {
      const circle = to === name ? [] : walk(to, [...path, name])
      if (circle.length > 0) return circle
    }
    done.add(name)
    return []
  }
  for (const name of targets.keys()) {
    const circle = walk(name, [])
    if (circle.length > 0) return circle
  }
  return []
}
