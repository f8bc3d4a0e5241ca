import type { ActionRecord, Server } from './cloud.ts'
import type { ApiAnswer } from './http.ts'
import { hostId } from './ids.ts'
import { isAnswer, type NovaCall, type NovaHandler, nextPage, novaError, pageLimit, serverOf } from './nova-call.ts'
import type { Route } from './routes.ts'
import { novaTime } from './times.ts'

/** A server's action log: the action, the user and the result. */
export const novaInstanceActions: readonly Route<NovaHandler>[] = [
  { method: 'GET', path: '/servers/:id/os-instance-actions', to: list },
  { method: 'GET', path: '/servers/:id/os-instance-actions/:request', to: show },
]

function view(call: NovaCall, server: Server, entry: ActionRecord) {
  return {
    action: entry.action,
    instance_uuid: server.id,
    request_id: entry.requestId,
    user_id: entry.userId,
    project_id: entry.projectId,
    start_time: novaTime(entry.startedAt),
    message: entry.message,
    ...(call.minor >= 58 ? { updated_at: novaTime(entry.updatedAt ?? entry.startedAt) } : {}),
  }
}

/** Since 2.21 the log of a deleted server can be read too. */
function withLog(call: NovaCall): Server | ApiAnswer {
  const deleted = call.world.cloud.deletedServers.find(each => each.id === call.params.id)
  return deleted !== undefined && call.isAdmin && call.minor >= 21 ? deleted : serverOf(call)
}

function list(call: NovaCall): ApiAnswer {
  const server = withLog(call)
  if (isAnswer(server)) return server
  const { limit, bad } = call.minor >= 58 ? pageLimit(call) : { limit: null, bad: undefined }
  if (bad !== undefined) return bad
  const rows = [...server.actions].reverse()
  const marker = call.minor >= 58 ? call.request.query.get('marker') : null
  const start = marker === null ? 0 : rows.findIndex(each => each.requestId === marker) + 1
  const page = rows.slice(start, limit === null ? undefined : start + limit)
  return {
    status: 200,
    json: {
      instanceActions: page.map(entry => view(call, server, entry)),
      ...nextPage(
        call,
        'links',
        limit,
        page.map(entry => entry.requestId),
      ),
    },
  }
}

function show(call: NovaCall): ApiAnswer {
  const server = withLog(call)
  if (isAnswer(server)) return server
  const wanted = call.params.request ?? ''
  const entry = server.actions.find(each => each.requestId === wanted)
  if (entry === undefined) return novaError(404, `Action for request_id ${wanted} on instance ${server.id} not found`)
  const events = entry.events.map(event => ({
    event: event.event,
    start_time: novaTime(event.startedAt),
    finish_time: event.finishedAt === null ? null : novaTime(event.finishedAt),
    result: event.result,
    traceback: null,
    ...(call.minor >= 62 && call.isAdmin ? { host: event.host } : {}),
    ...(call.minor >= 62 ? { hostId: hostId(server.projectId, event.host) } : {}),
    ...(call.minor >= 84 ? { details: null } : {}),
  }))
  return { status: 200, json: { instanceAction: { ...view(call, server, entry), events } } }
}
