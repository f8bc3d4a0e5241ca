import type { ForeignEndpoint } from '../../../shared/contract/index.ts'

/** What is not as Keystone has it: the host, the encryption, or both. A sentence. */
export function foreignWords({ origin, keystone }: Pick<ForeignEndpoint, 'origin' | 'keystone'>): string {
  const [to, from] = [new URL(origin), new URL(keystone)]
  const isWeaker = from.protocol === 'https:' && to.protocol !== 'https:'
  const host = `Its host is ${to.hostname}; expected was ${from.hostname}, Keystone's own.`
  const plain = 'It is http, without encryption; expected was https, as Keystone has it.'
  return [...(to.hostname === from.hostname ? [] : [host]), ...(isWeaker ? [plain] : [])].join(' ')
}
