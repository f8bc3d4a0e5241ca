import type { ReportInstance } from '../../shared/domain/report.ts'

/** Replaces names and ids of instances and projects, the same by the same everywhere in a report. */
export interface Replace {
  /** What stands for the instance: `instance 1`. */
  id(id: string): string
  /** What stands for the project: `project A`. */
  project(id: string): string
  /** A text without any of them. Ids that nobody knows go too: they may be of any project. */
  text(text: string): string
}

/** Ids as OpenStack writes them, with dashes or without. */
const ANY_ID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{32}\b/gi

/** The replacements for these instances, numbered in the order in which the report tells of them. */
export function nameReplacer(instances: readonly ReportInstance[]): Replace {
  const labels = new Map<string, string>()
  const projects = new Map<string, string>()
  const byName = new Map<string, Set<string>>()
  for (const { id, name, projectId } of instances) {
    if (!labels.has(id)) labels.set(id, `instance ${labels.size + 1}`)
    if (projectId !== null && !projects.has(projectId)) projects.set(projectId, `project ${letters(projects.size)}`)
    byName.set(name, (byName.get(name) ?? new Set()).add(id))
  }
  const words = new Map<string, string>()
  for (const [id, label] of labels) words.set(id, label)
  for (const [id, label] of projects) words.set(id, label)
  for (const [name, ids] of byName) {
    const [only, second] = [...ids]
    for (const id of ids) words.set(`${name} (${id})`, labels.get(id) ?? 'an instance')
    // Two may have one name: then nobody can tell which is meant.
    if (name !== '' && !words.has(name)) {
      words.set(name, second === undefined ? (labels.get(only ?? '') ?? 'an instance') : 'an instance')
    }
  }
  const known = patternOf([...words.keys()])
  return {
    id: id => labels.get(id) ?? 'an instance',
    project: id => projects.get(id) ?? 'a project',
    text: text => {
      const replaced = known === null ? text : text.replace(known, found => words.get(found) ?? '…')
      return replaced.replace(ANY_ID, '…')
    },
  }
}

/** Longest first, so that a name that begins another one does not cut it; never within a word. */
function patternOf(texts: readonly string[]): RegExp | null {
  const all = texts.filter(text => text !== '').toSorted((a, b) => b.length - a.length)
  if (all.length === 0) return null
  const any = all.map(text => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${any})(?![\\p{L}\\p{N}_-])`, 'gu')
}

/** A, B … Z, AA, AB … */
function letters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : `${letters(Math.floor(index / 26) - 1)}${letter}`
}
