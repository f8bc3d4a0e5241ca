import type { RequestOutput } from '../../../shared/contract/index.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { InstanceSummary } from '../../../shared/domain/node-summary.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'

type Listed = Pick<RequestOutput<'instance.list'>, 'instances' | 'projects' | 'unreachable'>

/** An instance as it was typed, found: its id, and how lines name it. */
interface FoundInstance {
  readonly id: string
  readonly words: string
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The instances meant by names or ids, each once. Refused as a whole where a name means none or several, or where it cannot be told: a list
 * that is not whole proves neither. An id that the list lacks is left to Nova.
 */
export function findInstances(
  typed: readonly string[],
  listed: Listed,
  cluster: string,
): Result<readonly FoundInstance[]> {
  const problems: string[] = []
  const found = new Map<string, FoundInstance>()
  for (const word of typed) {
    const byId = listed.instances.find(({ id }) => id === word)
    const named = byId === undefined ? listed.instances.filter(({ name }) => name === word) : [byId]
    const [first] = named
    if (byId === undefined && !ID.test(word) && listed.unreachable.length > 0) {
      problems.push(
        `Whether ${word} is one instance of ${cluster} cannot be told: ${listed.unreachable.join(' ')} Name it by its id.`,
      )
    } else if (named.length > 1) {
      const each = named.map(instance => `${projectWords(instance, listed)}, id ${instance.id}`)
      problems.push(`${named.length} instances are named ${word}: ${each.join('; ')}. Name the one you mean by its id.`)
    } else if (first !== undefined) {
      found.set(first.id, { id: first.id, words: `${first.name} (${projectWords(first, listed)})` })
    } else if (ID.test(word)) found.set(word, { id: word, words: word })
    else problems.push(`${cluster} has no instance named ${word}. \`instances ${cluster}\` lists them.`)
  }
  return problems.length === 0
    ? ok([...found.values()])
    : failed(failure('bad-input', `${problems.join(' ')} Nothing was changed.`))
}

/** The project of an instance for a line: `project shop`, by its id where nobody tells its name. */
export function projectWords(
  { projectId }: Pick<InstanceSummary, 'projectId'>,
  { projects }: Pick<Listed, 'projects'>,
): string {
  if (projectId === null) return 'project not known'
  return `project ${projects.find(({ id }) => id === projectId)?.name ?? projectId}`
}
