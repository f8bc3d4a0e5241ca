import { jsonOf } from '../../shared/domain/json.ts'
import type { Report } from '../../shared/domain/report.ts'

/** Replaces names and ids of instances and projects. Each instance or project always gets the same word. */
export interface Replace {
  /** The word for an instance: `instance 1`. */
  id(id: string): string
  /** The word for a project: `project A`. */
  project(id: string): string
  /** A text without any of them or any other id. If no entry identifies the name before an id, all words before it are removed. */
  text(text: string): string
}

/** Ids as OpenStack writes them, with dashes or without. */
const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}'
const ANY_ID = new RegExp(`\\b(?:${ID})\\b`, 'gi')
const ONLY_ID = new RegExp(`^(?:${ID})$`, 'i')

const UNKNOWN = '…'

/** The replacements for a report: its instances in order, then those only in its entries. */
export function nameReplacer({ instances, entries }: Pick<Report, 'instances' | 'entries'>): Replace {
  const labels = new Map<string, string>()
  const projects = new Map<string, string>()
  const called: Named[] = [...instances]
  for (const { id, projectId } of instances) {
    if (!labels.has(id)) labels.set(id, `instance ${labels.size + 1}`)
    if (projectId !== null && !projects.has(projectId)) projects.set(projectId, `project ${letters(projects.size)}`)
  }
  for (const named of entries.flatMap(({ body }) => namedIn(jsonOf(body)))) {
    // Steps, containers and projects have names and ids too.
    if (projects.has(named.id) || !(labels.has(named.id) || named.isInstance || ONLY_ID.test(named.id))) continue
    if (!labels.has(named.id)) labels.set(named.id, `instance ${labels.size + 1}`)
    called.push(named)
  }
  const ids = new Map([...labels, ...projects])
  const labelled = new Map<string, string>()
  const byName = new Map<string, Set<string>>()
  for (const { id, name } of called) {
    const label = labels.get(id) ?? 'an instance'
    for (const written of writings(name)) {
      for (const short of [id, id.slice(0, 8)]) labelled.set(`${written} (${short})`, label)
      labelled.set(`server/${id} (${written})`, label)
      // A name of punctuation alone occurs everywhere and identifies nobody; ids are replaced as ids.
      if (!/^[\p{P}\s]+$/u.test(written) && !ids.has(written) && !ONLY_ID.test(written))
        byName.set(written, (byName.get(written) ?? new Set()).add(id))
    }
  }
  const words = new Map<string, string>()
  for (const [name, bearers] of byName) {
    const [only, second] = [...bearers]
    // Two instances may share a name, so the name alone does not identify one.
    words.set(name, second === undefined ? (labels.get(only ?? '') ?? 'an instance') : 'an instance')
  }
  const known = patternOf([...labelled.keys(), ...words.keys()])
  const knownIds = patternOf([...ids.keys()])
  const inParentheses = new RegExp(`\\((${[...[...ids.keys()].map(literal), ID].join('|')})\\)`, 'giu')
  const withoutIds = (text: string): string =>
    (knownIds === null ? text : text.replace(knownIds, id => ids.get(id) ?? UNKNOWN)).replace(ANY_ID, UNKNOWN)
  return {
    id: id => labels.get(id) ?? 'an instance',
    project: id => projects.get(id) ?? 'a project',
    text: text => {
      const parts = known === null ? [text] : text.split(known)
      const last = parts.findLastIndex((part, at) => at % 2 === 0 && part.search(inParentheses) >= 0)
      const shown = parts.slice(last + 1).map(part => labelled.get(part) ?? words.get(part) ?? withoutIds(part))
      const [unsure, end] = [parts.slice(0, last + 1), parts[last]?.split(inParentheses).at(-1)]
      if (end === undefined) return shown.join('')
      // In text that may be part of a name, only replacements are kept.
      const kept = unsure.flatMap((part, at) =>
        at % 2 === 1
          ? (labelled.get(part) ?? [])
          : [...part.matchAll(inParentheses)].map(([, id = '']) => ids.get(id) ?? UNKNOWN),
      )
      return `${kept.every(label => label === UNKNOWN) ? UNKNOWN : [UNKNOWN, ...kept].join(' ')}${withoutIds(end)}${shown.join('')}`
    },
  }
}

interface Named {
  readonly id: string
  readonly name: string
}

/** Everything in an entry with an id and a name; `isInstance`: certainly an instance. */
function namedIn(value: unknown): readonly (Named & { readonly isInstance: boolean })[] {
  if (typeof value !== 'object' || value === null) return []
  const fields = new Map<string, unknown>(Object.entries(value))
  const found = [...fields.values()].flatMap(namedIn)
  const [id, name, subject] = [fields.get('id'), fields.get('name'), fields.get('subject')]
  if (typeof id === 'string' && typeof name === 'string') found.push({ id, name, isInstance: false })
  if (typeof subject !== 'string') return found
  const [, about, beside] = /^server\/([^ ]+)(?: \((.*)\))?$/s.exec(subject) ?? []
  const values = new Map<string, unknown>(Object.entries(fields.get('values') ?? {}))
  for (const each of [beside, values.get('name')]) {
    if (about !== undefined && typeof each === 'string') found.push({ id: about, name: each, isInstance: true })
  }
  return found
}

/** How texts write a name: as it is, as in JSON, and without surrounding spaces. */
function writings(name: string): readonly string[] {
  return [...new Set([name, JSON.stringify(name).slice(1, -1), name.trim()])].filter(written => written.trim() !== '')
}

/** Longest first: a name may start with another name. Never within a word. */
function patternOf(texts: readonly string[]): RegExp | null {
  const all = texts.filter(text => text !== '').toSorted((a, b) => b.length - a.length)
  if (all.length === 0) return null
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(${all.map(literal).join('|')})(?![\\p{L}\\p{N}_-])`, 'gu')
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

function letters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : `${letters(Math.floor(index / 26) - 1)}${letter}`
}
