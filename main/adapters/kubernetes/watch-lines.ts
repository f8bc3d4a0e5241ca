import { jsonIn } from '../../../shared/domain/json.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { KubernetesObject } from './answers.ts'
import { MalformedAnswer } from './fields.ts'
import { readMetadata } from './read-metadata.ts'

/** An event contains one object, and API servers accept at most 3 MiB. */
const LARGEST_LINE = 8 * 1024 * 1024

/** Splits a watch body into JSON lines; lines that arrive together come together. Invalid JSON and an overlong or truncated line are a MalformedAnswer. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<readonly unknown[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // Kept in pieces: a slow event must not be copied with every byte.
  let pieces: string[] = []
  let length = 0
  const whole = (last: string) => {
    const line = pieces.join('') + last
    pieces = []
    length = 0
    return line
  }
  for await (const chunk of body) {
    const lines = decoded(decoder, chunk).split('\n')
    const rest = lines.pop() ?? ''
    const [first, ...others] = lines
    const complete = first === undefined ? [] : [whole(first), ...others]
    if (rest !== '') pieces.push(rest)
    length += rest.length
    if (length > LARGEST_LINE)
      throw new MalformedAnswer(because('WatchEventTooLong', { mebibytes: LARGEST_LINE / 1024 / 1024 }))
    const parsed = complete.filter(line => line.trim() !== '').map(parsedLine)
    if (parsed.length > 0) yield parsed
  }
  const rest = whole('')
  if (rest.trim() !== '') {
    parsedLine(rest)
    throw new MalformedAnswer(because('WatchCutOff'))
  }
}

function decoded(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch {
    throw new MalformedAnswer(because('WatchNotText'))
  }
}

function parsedLine(line: string): unknown {
  try {
    return jsonIn(line)
  } catch {
    throw new UnreadableLine(line.slice(0, 2000))
  }
}

export class UnreadableLine extends MalformedAnswer {
  readonly line: string

  constructor(line: string) {
    super(because('KubernetesNotJson'))
    this.line = line
  }
}

export interface Removed {
  readonly uid: string
  readonly namespace: string
  readonly name: string
}

export type KnownObjects = Map<string, Removed>

type Identified = Pick<KubernetesObject, 'metadata'>

/** The known objects that a new list lacks, by UID: a recreated object is a different one (docs/drain.md, client facts 4). Updates `known`. */
export function removalsOfList(known: KnownObjects, items: readonly Identified[]): readonly Removed[] {
  const listed = new Map(items.map(item => [keyOf(item), identityOf(item)]))
  const removals = [...known].filter(([key, { uid }]) => listed.get(key)?.uid !== uid).map(([, removed]) => removed)
  known.clear()
  for (const [key, identity] of listed) known.set(key, identity)
  return removals
}

/** What an event removes: the object, or its predecessor of the same name. Updates `known`. */
export function removalsOfEvent(known: KnownObjects, type: string, object: Identified): readonly Removed[] {
  const key = keyOf(object)
  const identity = identityOf(object)
  const before = known.get(key)
  if (type === 'DELETED') {
    // A late deletion of a predecessor must not remove the current object.
    if (before?.uid === identity.uid) known.delete(key)
    return [identity]
  }
  known.set(key, identity)
  return before !== undefined && before.uid !== identity.uid ? [before] : []
}

function keyOf(object: Identified): string {
  const { namespace, name } = readMetadata(object)
  return `${namespace}/${name}`
}

function identityOf(object: Identified): Removed {
  const { uid, namespace, name } = readMetadata(object)
  return { uid, namespace, name }
}
