import { type NodeWorkGate, UpdateOptions } from '../../../shared/domain/update.ts'
import { listed } from '../../../shared/grammar/counts.ts'

/** A group of worker nodes as it is edited: node names as typed; its place is its order. */
export interface GroupDraft {
  /** Unique among the groups of a draft. */
  readonly key: string
  readonly name: string
  readonly concurrentUpdates: number
  readonly nodes: string
}

/** The choices of an update as they are edited. */
export interface UpdateDraft extends Omit<UpdateOptions, 'controlNodes' | 'groups' | 'release'> {
  readonly release: string
  readonly controlNodes: string
  readonly groups: readonly GroupDraft[]
}

/** The proposal as a draft; groups in the order of work. */
export function draftOf(options: UpdateOptions): UpdateDraft {
  return {
    ...options,
    release: options.release ?? '',
    controlNodes: options.controlNodes.join('\n'),
    groups: [...options.groups]
      .sort((a, b) => a.index - b.index)
      .map((group, at) => ({
        key: `${at}`,
        name: group.name,
        concurrentUpdates: group.concurrentUpdates,
        nodes: group.nodes.join('\n'),
      })),
  }
}

/** The names in a text, in order, with any separators. */
export function namesIn(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter(name => name !== '')
}

/** The options of a draft, or what is wrong with it. */
type DraftReading =
  | { readonly kind: 'ready'; readonly options: UpdateOptions }
  | { readonly kind: 'unfinished'; readonly problems: readonly string[] }

/** Reads a draft. `nodes` lists the cluster's nodes; if it is null, main's checks judge the names. */
export function readDraft(draft: UpdateDraft, nodes: readonly string[] | null): DraftReading {
  const controlNodes = [...namesIn(draft.controlNodes)]
  const groups = draft.groups.map((group, index) => ({
    name: group.name.trim(),
    index,
    nodes: [...namesIn(group.nodes)],
    concurrentUpdates: group.concurrentUpdates,
  }))
  const placed = [...controlNodes, ...groups.flatMap(group => group.nodes)]
  const names = groups.map(({ name }) => name)
  const problems = [
    ...twice(placed, name => `${name} is listed twice.`),
    ...twice(names, name => `Two groups are named ${name}.`),
    ...groups.flatMap(({ name, nodes: own }, at) => [
      ...(name === '' ? [`Group ${at + 1} has no name.`] : []),
      ...(own.length === 0 ? [`Group ${name === '' ? at + 1 : name} has no node: give it one or remove it.`] : []),
    ]),
    ...unknownNodes(placed, nodes),
    ...(placed.length === 0 ? ['No node is chosen.'] : []),
    ...workProblems(draft.work),
  ]
  if (problems.length > 0) return { kind: 'unfinished', problems }
  const release = draft.release.trim()
  const read = UpdateOptions.safeParse({ ...draft, release: release === '' ? null : release, controlNodes, groups })
  return read.success
    ? { kind: 'ready', options: read.data }
    : { kind: 'unfinished', problems: read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) }
}

/** Nodes of the cluster that the draft does not touch. */
export function nodesLeftOut(draft: UpdateDraft, nodes: readonly string[]): readonly string[] {
  const placed = new Set([draft.controlNodes, ...draft.groups.map(group => group.nodes)].flatMap(namesIn))
  return nodes.filter(node => !placed.has(node))
}

function twice(names: readonly string[], words: (name: string) => string): readonly string[] {
  return [...new Set(names.filter((name, at) => name !== '' && names.indexOf(name) !== at))].map(words)
}

function unknownNodes(placed: readonly string[], nodes: readonly string[] | null): readonly string[] {
  if (nodes === null) return []
  const known = new Set(nodes)
  const unknown = [...new Set(placed)].filter(name => !known.has(name))
  return unknown.length === 0 ? [] : [`The cloud has no ${unknown.length === 1 ? 'node' : 'nodes'} ${listed(unknown)}.`]
}

function workProblems(work: NodeWorkGate): readonly string[] {
  switch (work.kind) {
    case 'kubelet-version':
      return work.version.trim() === '' ? ['Enter the kubelet version that the node reports, such as v1.31.4.'] : []
    case 'os-image':
      return work.contains.trim() === '' ? ['Enter the text that the OS image contains.'] : []
    case 'job':
      return [
        ...(work.namespace.trim() === '' ? ['Enter the namespace of the Job.'] : []),
        ...(work.manifest.trim() === '' ? ['Enter the manifest of the Job.'] : []),
      ]
    default:
      return []
  }
}
