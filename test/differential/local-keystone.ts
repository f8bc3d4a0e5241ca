import type { Answer } from './local-servers.ts'

/** A request for a token, as it reached Keystone. */
interface Login {
  readonly path: string
  readonly body: unknown
}

const SERVICES: Readonly<Record<string, string>> = {
  compute: '/compute/v2.1',
  network: '/network',
  placement: '/placement',
  'block-storage': '/volume/v3',
  image: '/image',
  'infra-optim': '/infra-optim',
}

/** The catalogue: each region and interface has another path on the same host. */
export function catalogue(at: string) {
  return Object.entries(SERVICES).map(([type, path]) => ({
    id: type,
    name: type,
    type,
    endpoints: ['RegionOne', 'RegionTwo'].flatMap(region =>
      // One service has no address but its public one.
      (type === 'image' ? ['public'] : ['public', 'internal', 'admin']).map(each => ({
        id: `${type}-${region}-${each}`,
        interface: each,
        region,
        region_id: region,
        url: `${at}/${region}/${each}${path}`,
      })),
    ),
  }))
}

/** A Keystone that takes every credential and writes down what it was asked; `taken` empties what it wrote. */
export function localKeystone(): { readonly answer: Answer; taken(): readonly Login[] } {
  const logins: Login[] = []
  return {
    taken: () => logins.splice(0),
    answer: (request, body) => {
      const at = `http://${request.headers.host}`
      const path = new URL(request.url ?? '', at).pathname
      const subject = { 'x-subject-token': 'invented-token' }
      if (path.endsWith('/auth/tokens') && request.method === 'POST') {
        const asked = JSON.parse(body)
        logins.push({ path, body: asked })
        return { status: 201, headers: subject, body: tokenOf(asked, at) }
      }
      if (path.endsWith('/auth/tokens')) {
        logins.push({ path, body: { asked: request.headers['x-subject-token'] } })
        return { status: 200, headers: subject, body: tokenOf({}, at) }
      }
      const links = [{ rel: 'self', href: `${at}${path.replace(/\/(v3.*)?$/, '')}/v3/` }]
      const version = { id: 'v3.14', status: 'stable', links, updated: '2020-04-07T00:00:00Z', 'media-types': [] }
      if (/\/v3\/?$/.test(path)) return { status: 200, body: { version } }
      if (/\/(identity\/?)?$/.test(path)) return { status: 300, body: { versions: { values: [version] } } }
      return { status: 404, body: {} }
    },
  }
}

interface Asked {
  readonly auth?: {
    readonly scope?: {
      readonly project?: { id?: string; name?: string }
      readonly system?: unknown
      readonly domain?: unknown
    }
  }
}

/** The token for the requested project. */
function tokenOf({ auth }: Asked, at: string): object {
  const project = auth?.scope?.project
  const now = Date.now()
  return {
    token: {
      methods: ['password'],
      issued_at: new Date(now).toISOString(),
      expires_at: new Date(now + 3_600_000).toISOString(),
      user: { id: 'u-1', name: 'admin', domain: { id: 'default', name: 'Default' } },
      project: { id: project?.id ?? 'p-1', name: project?.name ?? 'p', domain: { id: 'default', name: 'Default' } },
      roles: [{ id: 'r-1', name: 'admin' }],
      catalog: catalogue(at),
    },
  }
}
