import type { Server } from './cloud.ts'
import { type ApiAnswer, asObject } from './http.ts'
import { isAnswer, type NovaCall, type NovaHandler, novaError, policyRefuses, serverOf, since } from './nova-call.ts'
import type { Route } from './routes.ts'

const WRITABLE: ReadonlySet<string> = new Set(['active', 'paused', 'suspended', 'stopped'])
const LONGEST = 60
const MOST = 50

/** Tags of a server (since 2.26). They can be changed in four states only, so never on a server in ERROR (domain.md A.6). */
export const novaTags: readonly Route<NovaHandler>[] = [
  { method: 'GET', path: '/servers/:id/tags', to: since(26, withServer('index', null, readAll)) },
  { method: 'PUT', path: '/servers/:id/tags', to: since(26, withServer('update_all', 'update tags', replaceAll)) },
  { method: 'DELETE', path: '/servers/:id/tags', to: since(26, withServer('delete_all', 'delete tags', removeAll)) },
  { method: 'GET', path: '/servers/:id/tags/:tag', to: since(26, withServer('show', null, readOne)) },
  { method: 'PUT', path: '/servers/:id/tags/:tag', to: since(26, withServer('update', 'update tag', addOne)) },
  { method: 'DELETE', path: '/servers/:id/tags/:tag', to: since(26, withServer('delete', 'delete tag', removeOne)) },
]

/** Nova checks the policy before it reads the server, so another project's server is forbidden, not unknown (nova/api/openstack/compute/server_tags.py). */
function withServer(
  rule: string,
  change: string | null,
  handle: (call: NovaCall, server: Server) => ApiAnswer,
): NovaHandler {
  return call => {
    const owner = call.world.cloud.servers.get(call.params.id ?? '')?.projectId
    if (owner !== undefined && !call.isAdmin && owner !== call.token.projectId) {
      return policyRefuses(`os_compute_api:os-server-tags:${rule}`)
    }
    const server = serverOf(call)
    if (isAnswer(server)) return server
    if (change !== null && !WRITABLE.has(server.vmState))
      return novaError(409, `Cannot '${change}' instance ${server.id} while it is in vm_state ${server.vmState}`)
    // Nova keeps tags in another table: `updated_at` does not change, and changes-since does not show them.
    return handle(call, server)
  }
}

function whatIsWrong(tag: string): string | null {
  if (tag.length > LONGEST) return `'${tag}' is too long`
  return /^[^,/]*$/.test(tag) ? null : `'${tag}' does not match '^[^,/]*$'`
}

function readAll(_call: NovaCall, server: Server): ApiAnswer {
  return { status: 200, json: { tags: [...server.tags].sort() } }
}

function replaceAll(call: NovaCall, server: Server): ApiAnswer {
  const { tags } = asObject(call.request.body)
  if (tags === undefined) return novaError(400, "'tags' is a required property")
  if (!Array.isArray(tags)) return novaError(400, `Invalid input for field/attribute tags. Value: ${tags}.`)
  if (tags.length > MOST) return novaError(400, `The number of tags exceeded the per-server limit ${MOST}`)
  for (const [index, tag] of tags.entries()) {
    const wrong = typeof tag === 'string' ? whatIsWrong(tag) : `${tag} is not of type 'string'`
    if (wrong !== null) return novaError(400, `Invalid input for field/attribute ${index}. Value: ${tag}. ${wrong}`)
  }
  server.tags = [...new Set(tags.map(String))]
  return readAll(call, server)
}

function removeAll(_call: NovaCall, server: Server): ApiAnswer {
  server.tags = []
  return { status: 204 }
}

function readOne(call: NovaCall, server: Server): ApiAnswer {
  const tag = call.params.tag ?? ''
  return server.tags.includes(tag) ? { status: 204 } : novaError(404, `Server ${server.id} has no tag '${tag}'`)
}

function addOne(call: NovaCall, server: Server): ApiAnswer {
  const tag = call.params.tag ?? ''
  const wrong = whatIsWrong(tag)
  if (wrong !== null)
    return novaError(
      400,
      `Tag '${tag}' is invalid. It must be a non empty string without characters '/' and ','. Validation error message: ${wrong}`,
    )
  const location = `${call.request.base}/v2.1/servers/${server.id}/tags/${tag}`
  if (server.tags.length >= MOST) return novaError(400, `The number of tags exceeded the per-server limit ${MOST}`)
  if (server.tags.includes(tag)) return { status: 204 }
  server.tags.push(tag)
  return { status: 201, headers: { location } }
}

function removeOne(call: NovaCall, server: Server): ApiAnswer {
  const tag = call.params.tag ?? ''
  if (!server.tags.includes(tag)) return novaError(404, `Instance ${server.id} has no tag '${tag}'`)
  server.tags = server.tags.filter(each => each !== tag)
  return { status: 204 }
}
