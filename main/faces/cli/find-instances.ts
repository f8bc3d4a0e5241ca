import type { RequestOutput } from '../../../shared/contract/index.ts'
import type { InstanceSummary } from '../../../shared/domain/node-summary.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'

type Listed = Pick<RequestOutput<'instance.list'>, 'instances' | 'projects' | 'unreachable'>

/** A typed instance: its id, and its name in messages. */
interface FoundInstance {
  readonly id: string
  readonly words: string
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Finds instances by names or ids, each once. Refuses all if one name matches none or several, or if the list is incomplete, which proves
 * neither. An id that is not in the list is left to Nova.
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
        `Cannot tell whether ${word} is one instance of ${cluster}: ${listed.unreachable.join(' ')} Use its id.`,
      )
    } else if (named.length > 1) {
      const each = named.map(instance => `${projectWords(instance, listed)}, id ${instance.id}`)
      problems.push(
        `${named.length} instances have the name ${word}: ${each.join('; ')}. Use the id of the one you mean.`,
      )
    } else if (first !== undefined) {
      found.set(first.id, { id: first.id, words: `${first.name} (${projectWords(first, listed)})` })
    } else if (ID.test(word)) found.set(word, { id: word, words: word })
    else problems.push(`${cluster} has no instance named ${word}. \`instances ${cluster}\` lists them.`)
  }
  return problems.length === 0
    ? ok([...found.values()])
    : failed(refusal('bad-input', because('InstancesNotIdentified', { problems })))
}

/** `project shop`; by its id if the name is unknown. */
export function projectWords(
  { projectId }: Pick<InstanceSummary, 'projectId'>,
  { projects }: Pick<Listed, 'projects'>,
): string {
  if (projectId === null) return 'project unknown'
  return `project ${projects.find(({ id }) => id === projectId)?.name ?? projectId}`
}
