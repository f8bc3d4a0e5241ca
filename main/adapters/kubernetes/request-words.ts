import { call } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

export interface RequestWords {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource: string | null
  readonly namespace: string | null
  readonly name: string | null
  /** For example, `list pods in namespace openstack` or `create pods/eviction of openstack/keystone-0`. */
  readonly call: Finding
  /** For example, `node/cmp-1`; null if the request is not about one object. */
  readonly target: string | null
}

export function requestWords(method: string, path: string, watching = false): RequestWords {
  const parts = path
    .split('/')
    .filter(part => part !== '')
    .map(decodeURIComponent)
  const versioned = parts[0] === 'api' ? 2 : parts[0] === 'apis' ? 3 : Number.POSITIVE_INFINITY
  if (parts.length <= versioned) {
    const verb = method.toLowerCase()
    return {
      verb,
      group: '',
      resource: path,
      subresource: null,
      namespace: null,
      name: null,
      call: call('AskApiServer', { verb, resource: path, namespace: null, name: null }),
      target: null,
    }
  }
  const group = parts[0] === 'apis' ? (parts[1] ?? '') : ''
  const rest = parts.slice(versioned)
  const inNamespace = rest[0] === 'namespaces' && rest.length > 2
  const namespace = inNamespace ? (rest[1] ?? null) : null
  const [resource = '', name = null, subresource = null] = inNamespace ? rest.slice(2) : rest
  const verb = verbOf(method, name !== null, watching)
  const full = subresource === null ? resource : `${resource}/${subresource}`
  const object = [namespace, name].filter(part => part !== null).join('/')
  return {
    verb,
    group,
    resource,
    subresource,
    namespace,
    name,
    call: call('AskApiServer', { verb, resource: full, namespace, name }),
    target: name === null ? null : `${resource.replace(/s$/, '')}/${object}`,
  }
}

function verbOf(method: string, named: boolean, watching: boolean): string {
  switch (method) {
    case 'GET':
      return named ? 'get' : watching ? 'watch' : 'list'
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    default:
      return method.toLowerCase()
  }
}
