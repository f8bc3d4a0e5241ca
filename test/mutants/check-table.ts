import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Change, Mutant } from './mutant.ts'

/** A change that cannot be made to the text as it is. */
class LineMissing extends Error {}

/** The text with the change made; throws where the line does not occur exactly once. */
export function changed(text: string, { file, from, to }: Change): string {
  const times = text.split(from).length - 1
  if (from === '' || times !== 1) throw new LineMissing(`${file} has ${times} times: ${firstLine(from)}`)
  if (from === to) throw new LineMissing(`the change of ${file} changes nothing: ${firstLine(from)}`)
  return text.replace(from, () => to)
}

/** What is wrong with a table before anything is run, one sentence each. `root` has the sources. */
export function tableProblems(mutants: readonly Mutant[], root: string): readonly string[] {
  return mutants.flatMap((mutant, at) => {
    const problems = [
      ...(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(mutant.name) ? [] : ['its name is not kebab-case']),
      ...(mutants.findIndex(({ name }) => name === mutant.name) === at ? [] : ['another mutant has its name']),
      ...(mutant.harm.trim().endsWith('.') ? [] : ['its harm is not a sentence']),
      ...(mutant.changes.length === 0 ? ['it changes nothing'] : []),
      ...changeProblems(mutant.changes, root),
      ...catcherProblems(mutant, root),
    ]
    return problems.map(problem => `${mutant.name}: ${problem}`)
  })
}

function changeProblems(changes: readonly Change[], root: string): readonly string[] {
  const texts = new Map<string, string>()
  return changes.flatMap(change => {
    const path = join(root, change.file)
    if (!existsSync(path)) return [`there is no file ${change.file}`]
    try {
      texts.set(change.file, changed(texts.get(change.file) ?? readFileSync(path, 'utf8'), change))
      return []
    } catch (error) {
      if (error instanceof LineMissing) return [error.message]
      throw error
    }
  })
}

function catcherProblems({ caughtBy }: Mutant, root: string): readonly string[] {
  if (caughtBy.kind === 'simulation') return caughtBy.schedules > 0 ? [] : ['it gives the simulation no schedule']
  if (!/^test\/(unit|contract|differential|integration)\/.*\.test\.ts$/.test(caughtBy.file)) {
    return [`${caughtBy.file} is in no project of vitest.config.ts`]
  }
  if (!existsSync(join(root, caughtBy.file))) return [`there is no file ${caughtBy.file}`]
  return caughtBy.title.trim() === '' ? ['it names no test'] : []
}

function firstLine(text: string): string {
  return JSON.stringify(text.trim().split('\n')[0] ?? '')
}
