import type { ReactNode } from 'react'
import type { Contact } from '../../../shared/domain/node-summary.ts'
import { READY_WORDS } from '../../../shared/words/nodes.ts'

/**
 * What the kubelet reports: a filled disc when ready, a cross when not, a ring without contact, a dash without a kubelet. Shape
 * says it as well as colour.
 */
export function Lamp({ ready }: { readonly ready: Contact }): ReactNode {
  return (
    <svg className={`topo-lamp topo-lamp-${ready}`} viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
      <title>{`Kubelet: ${READY_WORDS[ready]}`}</title>
      {ready === 'ready' ? <circle cx="5" cy="5" r="3.5" /> : null}
      {ready === 'unknown' ? <circle className="topo-lamp-ring" cx="5" cy="5" r="3" /> : null}
      {ready === 'none' ? <path className="topo-lamp-ring" d="M2.5 5h5" /> : null}
      {ready === 'not-ready' ? <path className="topo-lamp-cross" d="M2 2l6 6M8 2l-6 6" /> : null}
    </svg>
  )
}
