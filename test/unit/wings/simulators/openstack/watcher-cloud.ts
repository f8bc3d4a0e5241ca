import { expect } from 'vitest'
import type { WatcherSeed } from '../../../../../main/wings/simulators/openstack/seed.ts'
import type { Timings } from '../../../../../main/wings/simulators/openstack/timings.ts'
import { must } from '../../../../../shared/domain/must.ts'
import { type Reply, SMALL_CLOUD, smallCloud, until } from './small-cloud.ts'

/** The small cloud with a Watcher, and how it is asked. */
export async function watcherCloud(watcher: WatcherSeed = {}, timings: Partial<Timings> = {}) {
  const cloud = await smallCloud({
    seed: { ...SMALL_CLOUD, watcher },
    timings: { speed: 40, watcherModelMs: 1e9, ...timings },
  })
  const simulator = must(cloud.simulator.watcher, 'the cloud has Watcher')
  const sendToWatcher = (method: string, path: string, body?: unknown, version = '1.4', token = cloud.adminToken) =>
    cloud.send(method, `/infra-optim${path}`, {
      headers: { 'x-auth-token': token, 'openstack-api-version': `infra-optim ${version}` },
      ...(body === undefined ? {} : { body }),
    })
  let audits = 0
  const audit = async (parameters: Readonly<Record<string, unknown>>, strategy = 'host_maintenance') => {
    audits += 1
    const goal = strategy === 'host_maintenance' ? 'cluster_maintaining' : 'workload_balancing'
    const made = await sendToWatcher('POST', '/v1/audits', {
      name: `audit-${audits}`,
      goal,
      strategy,
      audit_type: 'ONESHOT',
      parameters,
    })
    expect(made).toMatchObject({ status: 201, json: { state: 'PENDING' } })
    return until(
      async () => (await sendToWatcher('GET', `/v1/audits/${made.json.uuid}`)).json,
      each => !['PENDING', 'ONGOING'].includes(each.state),
    )
  }
  const planOf = async (auditUuid: string) =>
    (await sendToWatcher('GET', `/v1/action_plans?audit_uuid=${auditUuid}`)).json.action_plans[0]
  const actionsOf = async (plan: string, version = '1.4'): Promise<readonly ActionView[]> =>
    (await sendToWatcher('GET', `/v1/actions/detail?action_plan_uuid=${plan}`, undefined, version)).json.actions
  return {
    ...cloud,
    watcher: simulator,
    sendToWatcher,
    audit,
    planOf,
    actionsOf,
    /** The plan for a host, with what it would do as `type name`. */
    recommend: async (parameters: Readonly<Record<string, unknown>>, strategy?: string) => {
      const plan = await planOf((await audit(parameters, strategy)).uuid)
      const actions = await actionsOf(plan.uuid)
      // A stop says only the id of its instance.
      const named = (action: ActionView): ActionView => {
        const { resource_id: id = '', resource_name: reported } = action.input_parameters
        const name = reported ?? cloud.simulator.state.servers.get(id)?.name ?? id
        return { ...action, input_parameters: { ...action.input_parameters, resource_name: name } }
      }
      return { plan: String(plan.uuid), actions, words: actions.map(named).map(wordsOf) }
    },
    start: (plan: string) => sendToWatcher('POST', `/v1/action_plans/${plan}/start`),
    over: (plan: string) =>
      until(
        async () => (await sendToWatcher('GET', `/v1/action_plans/${plan}`)).json,
        each => ['SUCCEEDED', 'FAILED', 'CANCELLED'].includes(each.state),
      ),
    cancel: (plan: string, state = 'CANCELLED') =>
      sendToWatcher('PATCH', `/v1/action_plans/${plan}`, [{ op: 'replace', path: '/state', value: state }]),
    service: (host: string) =>
      must(
        cloud.simulator.state.services.find(each => each.host === host && each.binary === 'nova-compute'),
        `${host} has nova-compute`,
      ),
  }
}

/** An action as Watcher shows it. */
interface ActionView {
  readonly uuid: string
  readonly state: string
  readonly action_type: string
  readonly input_parameters: Readonly<Record<string, string>>
  readonly parents: readonly string[]
  readonly status_message?: string | null
}

/** What an action does, such as `live web-01`. */
export function wordsOf({ action_type: type, input_parameters: input }: ActionView): string {
  return `${type === 'migrate' ? input.migration_type : type === 'stop' ? 'stop' : input.state} ${input.resource_name}`
}

/** The text of a refusal, which is JSON within JSON. */
export function saidBy(reply: Reply): string {
  return JSON.parse(reply.json.error_message).faultstring
}
