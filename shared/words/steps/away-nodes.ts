/** A sign that a node is in maintenance or on its way there. */
export type MaintenanceSign =
  | { readonly code: 'Cordoned' }
  /** Its nova-compute is disabled for a maintenance. */
  | { readonly code: 'ComputeDisabled'; readonly reason: string }
  /** A run works on it; null means a run of another console, whose id is unknown. */
  | { readonly code: 'RunWorks'; readonly run: string | null }
  /** A run keeps noout for its OSDs. */
  | { readonly code: 'NooutKept'; readonly run: string }

/** Another node that must not be counted on: it is not ready, in maintenance, or both. */
export type AwayNode = {
  readonly node: string
  readonly readiness: 'ready' | 'not-ready' | 'unknown'
  readonly signs: readonly MaintenanceSign[]
}

/** `cordoned`, `run 8ph2 works on it`. */
export function signWords(sign: MaintenanceSign): string {
  switch (sign.code) {
    case 'Cordoned':
      return 'cordoned'
    case 'ComputeDisabled':
      return `nova-compute disabled: ${sign.reason}`
    case 'RunWorks':
      return sign.run === null ? 'a run of another console works on it' : `run ${sign.run} works on it`
    case 'NooutKept':
      return `run ${sign.run} keeps noout for it`
  }
}

/** `cordoned; run 8ph2 works on it`. */
export function signsWords(signs: readonly MaintenanceSign[]): string {
  return signs.map(signWords).join('; ')
}

/** `sun-2 (cordoned; run 8ph2 works on it), sun-3 (cordoned)`: nodes with the signs of each. */
export function nodesWithSigns(nodes: readonly Pick<AwayNode, 'node' | 'signs'>[]): string {
  return nodes.map(({ node, signs }) => `${node} (${signsWords(signs)})`).join(', ')
}

/** Why a node is out of service: `not ready, in maintenance: cordoned`. */
export function awayWords({ readiness, signs }: AwayNode): string {
  return [
    ...(readiness === 'ready' ? [] : [readiness === 'unknown' ? 'its kubelet does not report' : 'not ready']),
    ...(signs.length === 0 ? [] : [`in maintenance: ${signsWords(signs)}`]),
  ].join(', ')
}

/** `sun-2 (in maintenance: cordoned), sun-3 (not ready)`: nodes out of service, each with its reason. */
export function awayNames(away: readonly AwayNode[]): string {
  return away.map(each => `${each.node} (${awayWords(each)})`).join(', ')
}

/** ` and sun-2 (in maintenance: cordoned)`, to follow the name of the node; empty if no node is out of service. */
export function besideAway(away: readonly AwayNode[]): string {
  return away.length === 0 ? '' : ` and ${awayNames(away)}`
}
