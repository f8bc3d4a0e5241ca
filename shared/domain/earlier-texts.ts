import type { RunLeft } from './run-left.ts'

/**
 * What earlier versions wrote into journals and objects as a text, and this one writes as a code: the only place that reads such a text. It stays
 * while a journal may have one.
 */

/** Why a run was left, from what its journal says. */
export function leftOfEarlier(why: string): RunLeft {
  const detached = /^(.+) left it$/s.exec(why)?.[1]
  if (detached !== undefined) return { code: 'Detached', by: detached }
  const handing = /^(.+) hands it over$/s.exec(why)?.[1]
  if (handing !== undefined) return { code: 'HandingOver', by: handing }
  const [, ofLost, lost] = /^The lease of (\S+) was lost, so nothing more was begun\.(?: (.*))?$/s.exec(why) ?? []
  if (ofLost !== undefined) return { code: 'LeaseLost', node: ofLost, cause: lost ?? '' }
  const [, node, cause] = /^The lease of (\S+) could not be taken: (.*)$/s.exec(why) ?? []
  if (node !== undefined) return { code: 'LeaseNotTaken', node, cause: cause ?? '' }
  return { code: 'Other', text: why }
}

/** Whether what is told of a lock says that its controller says nothing. */
export function isSilenceOfEarlier(message: string): boolean {
  return message.startsWith('it says nothing; it has not moved')
}
