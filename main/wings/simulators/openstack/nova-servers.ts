import type { Server } from './cloud.ts'
import type { ApiAnswer } from './http.ts'
import {
  beginAction,
  isAnswer,
  type NovaCall,
  type NovaHandler,
  nextPage,
  novaError,
  pageLimit,
  serverOf,
} from './nova-call.ts'
import type { Route } from './routes.ts'
import { serverFilter } from './server-filters.ts'
import { fullView, partialView, shortView } from './server-view.ts'
import { markUpdated, sleepUnlessStopped } from './world.ts'

/** Servers: lists (short and in detail), one server, and deletion. */
export const novaServers: readonly Route<NovaHandler>[] = [
  { method: 'GET', path: '/servers', to: call => list(call, 'list') },
  { method: 'GET', path: '/servers/detail', to: call => list(call, 'detail') },
  { method: 'GET', path: '/servers/:id', to: show },
  { method: 'DELETE', path: '/servers/:id', to: remove },
]

function list(call: NovaCall, how: 'list' | 'detail'): ApiAnswer {
  const { limit, bad } = pageLimit(call)
  if (bad !== undefined) return bad
  const filter = serverFilter(call)
  if ('status' in filter) return filter
  const { cloud, faults } = call.world
  const all = [...cloud.servers.values(), ...(filter.withDeleted ? cloud.deletedServers : [])]
    .filter(filter.matches)
    .sort((a, b) => b.createdAt - a.createdAt || b.number - a.number)
  const down = all.filter(server => faults.downCells.has(server.cell))
  const up = all.filter(server => !down.includes(server))

  const marker = call.request.query.get('marker')
  const from = marker === null ? 0 : up.findIndex(server => server.id === marker) + 1
  if (marker !== null && from === 0) return novaError(400, `marker [${marker}] not found`)
  const page = up.slice(from, from + (limit ?? 1000))
  const partial = call.minor >= 69 && filter.plain ? down : []
  const view = (server: Server) => (how === 'list' ? shortView(call, server) : fullView(call, server, 'detail'))
  return {
    status: 200,
    json: {
      servers: [...partial.map(server => partialView(call, server, how)), ...page.map(view)],
      ...nextPage(
        call,
        'servers_links',
        limit,
        page.map(server => server.id),
      ),
    },
  }
}

function show(call: NovaCall): ApiAnswer {
  const down = call.world.cloud.servers.get(call.params.id ?? '')
  if (down !== undefined && call.isAdmin && call.minor >= 69 && call.world.faults.downCells.has(down.cell))
    return { status: 200, json: { server: partialView(call, down, 'show') } }
  const server = serverOf(call)
  return isAnswer(server) ? server : { status: 200, json: { server: fullView(call, server, 'show') } }
}

function remove(call: NovaCall): ApiAnswer {
  const server = serverOf(call)
  if (isAnswer(server)) return server
  if (server.locked && !call.isAdmin) return novaError(409, `Instance ${server.id} is locked`)
  beginAction(call, server, 'delete')
  server.taskState = 'deleting'
  markUpdated(call.world, server)
  call.world.spawn(finishRemoving(call, server))
  return { status: 204 }
}

async function finishRemoving(call: NovaCall, server: Server): Promise<void> {
  const { world } = call
  if (server.host !== null) await world.faults.untilComputeUp(server.host, world.signal)
  if (!(await sleepUnlessStopped(world, world.timings.deleteMs))) return
  server.vmState = 'deleted'
  server.taskState = null
  markUpdated(world, server)
  world.cloud.servers.delete(server.id)
  world.cloud.deletedServers.push(server)
}
