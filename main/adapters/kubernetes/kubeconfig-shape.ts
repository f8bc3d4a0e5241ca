/** The type of a kubeconfig field. Absent values and unknown fields are valid (client-go, clientcmd/api/v1/types.go). */
type Shape =
  | 'text'
  | 'truth'
  | 'base64'
  | 'anything'
  | { readonly list: Shape }
  | { readonly each: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> }

interface WrongField {
  readonly field: string
  readonly wanted: 'text' | 'truth' | 'base64' | 'list' | 'mapping'
}

const CLUSTER: Shape = {
  fields: {
    server: 'text',
    'tls-server-name': 'text',
    'insecure-skip-tls-verify': 'truth',
    'certificate-authority': 'text',
    'certificate-authority-data': 'base64',
    'proxy-url': 'text',
    'disable-compression': 'truth',
  },
}

const EXEC: Shape = {
  fields: {
    command: 'text',
    args: { list: 'text' },
    env: { list: { fields: { name: 'text', value: 'text' } } },
    apiVersion: 'text',
    installHint: 'text',
    provideClusterInfo: 'truth',
    interactiveMode: 'text',
  },
}

const USER: Shape = {
  fields: {
    'client-certificate': 'text',
    'client-certificate-data': 'base64',
    'client-key': 'text',
    'client-key-data': 'base64',
    token: 'text',
    tokenFile: 'text',
    as: 'text',
    'as-uid': 'text',
    'as-groups': { list: 'text' },
    'as-user-extra': { each: { list: 'text' } },
    username: 'text',
    password: 'text',
    'auth-provider': { fields: { name: 'text', config: { each: 'text' } } },
    exec: EXEC,
  },
}

const CONTEXT: Shape = { fields: { cluster: 'text', user: 'text', namespace: 'text' } }

const named = (kind: string, shape: Shape): Shape => ({ list: { fields: { name: 'text', [kind]: shape } } })

const KUBECONFIG: Shape = {
  fields: {
    kind: 'text',
    apiVersion: 'text',
    preferences: { each: 'anything' },
    clusters: named('cluster', CLUSTER),
    users: named('user', USER),
    contexts: named('context', CONTEXT),
    'current-context': 'text',
  },
}

/** The first field that kubectl would reject, in any entry. A number as a token is an error: ignoring it would act with other rights than intended. */
export function wrongField(top: object): WrongField | null {
  return malformed(KUBECONFIG, top, '')
}

function malformed(shape: Shape, value: unknown, field: string): WrongField | null {
  if (value === undefined || value === null || shape === 'anything') return null
  switch (shape) {
    case 'text':
      return typeof value === 'string' ? null : { field, wanted: 'text' }
    case 'truth':
      return typeof value === 'boolean' ? null : { field, wanted: 'truth' }
    case 'base64':
      return typeof value === 'string' && isBase64(value) ? null : { field, wanted: 'base64' }
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) return { field, wanted: 'list' }
    return firstOf(value.map((each, at) => malformed(shape.list, each, `${field}[${at}]`)))
  }
  if (typeof value !== 'object' || Array.isArray(value)) return { field, wanted: 'mapping' }
  const within = (name: string) => (field === '' ? name : `${field}.${name}`)
  if ('each' in shape) {
    return firstOf(Object.entries(value).map(([name, each]) => malformed(shape.each, each, within(name))))
  }
  const fields = new Map<string, unknown>(Object.entries(value))
  return firstOf(Object.entries(shape.fields).map(([name, inner]) => malformed(inner, fields.get(name), within(name))))
}

function firstOf(found: readonly (WrongField | null)[]): WrongField | null {
  return found.find(each => each !== null) ?? null
}

/** Go's rules: complete groups of four with padding; line breaks are ignored, blanks are not. */
function isBase64(text: string): boolean {
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text.replace(/[\r\n]/g, ''))
}
