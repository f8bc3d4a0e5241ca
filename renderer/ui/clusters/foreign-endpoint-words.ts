import type { ForeignEndpoint } from '../../../shared/contract/index.ts'

/** How an address differs from Keystone's: the host, the encryption, or both. A sentence. */
export function foreignWords({ origin, keystone }: Pick<ForeignEndpoint, 'origin' | 'keystone'>): string {
  const [to, from] = [new URL(origin), new URL(keystone)]
  const isWeaker = from.protocol === 'https:' && to.protocol !== 'https:'
  const host = `Its host is ${to.hostname}, not Keystone's host ${from.hostname}.`
  const plain = 'It is http without encryption; Keystone uses https.'
  return [...(to.hostname === from.hostname ? [] : [host]), ...(isWeaker ? [plain] : [])].join(' ')
}
