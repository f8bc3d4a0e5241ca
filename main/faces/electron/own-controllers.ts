import type { Contract } from '../../../shared/contract/index.ts'

interface OwnControllers {
  active(): readonly string[]
  stop(): void
}

/** Follows on which clusters this process runs application controllers. */
export function followOwnControllers(
  contract: Pick<Contract, 'listen'>,
  onChange: (clusters: readonly string[]) => void,
): OwnControllers {
  const answered = new Set<string>()
  const stop = contract.listen('controllers.changed', ({ cluster, state }) => {
    const isHere = state === 'here'
    if (isHere === answered.has(cluster)) return
    if (isHere) answered.add(cluster)
    else answered.delete(cluster)
    onChange([...answered])
  })
  return { active: () => [...answered], stop }
}
